// java SoundPoker <style> <address> <port>: a student's program without a mistake, for the checker.
// It reads in sequence, as a hand goes: no loop over kinds of messages.

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

public class SoundPoker {
    private static final List<String> ORDER =
        Arrays.asList("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A");

    private final String style;
    private final Socket socket;
    private final DataInputStream dis;
    private final DataOutputStream dos;

    private SoundPoker(String style, String address, int port) throws IOException {
        this.style = style;
        socket = new Socket(address, port);
        dis = new DataInputStream(socket.getInputStream());
        dos = new DataOutputStream(socket.getOutputStream());
    }

    private void write(String text) throws IOException { dos.writeUTF(text); dos.flush(); }

    private String read() throws IOException { return dis.readUTF(); }

    private static int value(String card) { return ORDER.indexOf(card.substring(0, card.length() - 1)); }

    private String replyTo(String question) {
        String[] fields = question.split(":");
        int stack = Integer.parseInt(fields[1]), owed = Integer.parseInt(fields[3]);
        int up = Arrays.asList(fields).indexOf("up");
        List<String> own = Arrays.asList(fields).subList(4, up);
        int highest = -1;
        for (int field = up + 1; field < fields.length; field++)
            if (!own.contains(fields[field])) highest = Math.max(highest, value(fields[field]));
        HashSet<Integer> values = new HashSet<>();
        for (String card : own) values.add(value(card));
        boolean pair = values.size() < own.size();
        int raise = Math.min(owed + 10, stack);
        System.out.println(question + " -> " + style + ", should I bet or fold?");
        switch (style) {
            case "caller": return "bet:" + owed;
            case "folder": return pair ? "bet:" + raise : "fold";
            case "looker":
                if (highest == ORDER.indexOf("A")) return "fold";
                return "bet:" + (highest >= ORDER.indexOf("Q") ? Math.min(owed + 5, stack) : raise);
            default:
                if (pair || own.get(0).matches("(J|Q|K|A)S")) return "bet:" + raise;
                return owed <= 10 && (owed == 0 || values.contains(ORDER.indexOf("A"))) ? "bet:" + owed : "fold";
        }
    }

    private void play() throws IOException {
        String text = read();
        if (!text.equals("login")) throw new IOException("expected login, got " + text);
        write("sound-1:Sound");
        text = read();
        while (!text.startsWith("done")) {
            while (text.startsWith("bet1")) { write(replyTo(text)); text = read(); }
            while (text.startsWith("bet2")) { write(replyTo(text)); text = read(); }
            if (text.startsWith("status")) text = read();
        }
        socket.close();
    }

    public static void main(String[] args) throws IOException {
        new SoundPoker(args[0], args[1], Integer.parseInt(args[2])).play();
    }
}
