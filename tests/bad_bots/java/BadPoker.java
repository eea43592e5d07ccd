// java BadPoker <mistake> <address> <port>: a student's program with one mistake, for the checker.

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.net.Socket;

public class BadPoker {
    private final String mistake;
    private final Socket socket;
    private final DataInputStream dis;
    private final DataOutputStream dos;

    private BadPoker(String mistake, String address, int port) throws IOException {
        this.mistake = mistake;
        socket = new Socket(address, port);
        socket.setTcpNoDelay(true);
        dis = new DataInputStream(socket.getInputStream());
        dos = new DataOutputStream(socket.getOutputStream());
    }

    private void write(String text) throws IOException {
        switch (mistake) {
            case "int-length": dos.writeInt(text.length()); dos.writeBytes(text); break;
            case "chars": dos.writeChars(text); break;
            case "line": dos.write((text + "\n").getBytes()); break;
            case "objects": new ObjectOutputStream(dos).writeObject(text); break;
            default: dos.writeUTF(text);
        }
        dos.flush();
    }

    private String replyTo(String question) {
        String[] fields = question.split(":");
        if (mistake.equals("parses-up"))
            for (int field = 4; field < fields.length; field++) {
                String value = fields[field].substring(0, fields[field].length() - 1);
                if (!"JQKA".contains(value)) Integer.parseInt(value);
            }
        return "bet:" + fields[3];
    }

    private void play() throws IOException {
        while (true) {
            String text = dis.readUTF();
            if (text.equals("login")) write("bad-1:Bad");
            else if (text.startsWith("bet") && mistake.equals("prints")) System.out.println(replyTo(text));
            else if (text.startsWith("bet")) write(replyTo(text));
            else if (text.startsWith("done") && !mistake.equals("stays-after-done")) break;
        }
        socket.close();
    }

    public static void main(String[] args) throws IOException {
        new BadPoker(args[0], args[1], Integer.parseInt(args[2])).play();
    }
}
