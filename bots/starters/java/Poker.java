// A three-card stud player to start from.
// Compile:  javac Poker.java          Run:  java Poker <address> <port>
// It knows how to talk to the dealer, and plays very simply. Everything worth changing is in decide().

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.net.Socket;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;

public class Poker {
    private static final String ID = "StephenCurry"; // who you are; only the instructor sees it. Put your own here.
    private static final String AVATAR = "Steph";    // what everybody sees. Put your own here.

    // ---- YOUR STRATEGY: change this -------------------------------------------------------------------------

    // Say how many chips to put in now. Less than what is owed means: fold.
    //   stack: the chips you have left      mine: your cards, "KS" or "10D"; the first is the hidden one
    //   pot: the chips on the table         table: everybody's cards that lie face up, yours too
    //   owed: the chips you must put in to stay in; 0 if nobody has bet more than you
    private int decide(int stack, int pot, int owed, List<String> mine, List<String> table) {
        HashSet<String> values = new HashSet<>();
        for (String card : mine) {
            values.add(card.substring(0, card.length() - 1)); // "10D" is the value "10" and the suit "D"
        }
        boolean hasPair = values.size() < mine.size();        // a set holds nothing twice
        return hasPair ? owed + 10 : 0;                       // the highest bet there is; or check, or fold
    }

    // ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. --------

    private final DataInputStream dis;
    private final DataOutputStream dos;

    Poker(InputStream fromDealer, OutputStream toDealer) {
        dis = new DataInputStream(fromDealer);
        dos = new DataOutputStream(toDealer);
    }

    private void write(String s) throws IOException { dos.writeUTF(s); dos.flush(); }

    private String read() throws IOException { return dis.readUTF(); }

    // Takes a bet1 or bet2 apart, asks decide(), and makes its answer a legal one.
    private String replyTo(String question) {
        List<String> fields = Arrays.asList(question.split(":")); // bet1:stack:pot:owed:your cards:up:everybody's
        int stack, pot, owed, up = fields.indexOf("up");
        try {
            stack = Integer.parseInt(fields.get(1));
            pot = Integer.parseInt(fields.get(2));
            owed = Integer.parseInt(fields.get(3));
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            up = -1;
            stack = pot = owed = 0;
        }
        if (up < 4 || fields.contains("")) {
            String shown = question.substring(0, Math.min(question.length(), 200));
            System.err.println("folded, because this question cannot be read: " + printable(shown));
            return "fold";
        }
        int chips = decide(stack, pot, owed, fields.subList(4, up), fields.subList(up + 1, fields.size()));
        if (chips < owed || stack < owed) return "fold";
        return "bet:" + Math.min(chips, Math.min(owed + 10, stack)); // at most 10 more than owed, never over the stack
    }

    // What the dealer said, without characters that a terminal would obey.
    private static String printable(String text) { return text.replaceAll("\\p{C}", "?"); }

    // Answers until the dealer says done. Every question gets exactly one reply, within one second.
    void play(String name) throws IOException {
        while (true) {
            String message = read();
            if (message.equals("login")) write(name);
            else if (message.startsWith("bet1:") || message.startsWith("bet2:")) write(replyTo(message));
            else if (message.startsWith("done:")) {
                System.out.println(printable(message.substring("done:".length()))); // why the game is over for you
                return;
            } // What is left is "status": how a hand ended. It gets no reply, but you can learn from it.
        }
    }

    public static void main(String[] args) {
        if (args.length < 2 || !args[1].matches("[0-9]{1,5}") || Integer.parseInt(args[1]) > 65535)
            fail("run it with: java Poker <address> <port>");
        // An id and an avatar may follow the port, to start several players at once.
        String name = (args.length > 2 ? args[2] : ID) + ":" + (args.length > 3 ? args[3] : AVATAR);
        try (Socket socket = new Socket(args[0], Integer.parseInt(args[1]))) { // closed at the end, whatever happens
            new Poker(socket.getInputStream(), socket.getOutputStream()).play(name);
        } catch (EOFException hungUp) {
            fail("the dealer hung up without saying why");
        } catch (UTFDataFormatException malformed) {
            fail("the dealer sent bytes that are no text");
        } catch (IOException error) {
            fail("the connection to " + args[0] + " port " + args[1] + " failed: " + error.getMessage());
        }
    }

    private static void fail(String why) {
        System.err.println(why);
        System.exit(1);
    }
}
