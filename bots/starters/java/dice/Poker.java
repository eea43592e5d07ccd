// A player of dice to start from.
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

public class Poker {
    private static final String ID = "StephenCurry"; // who you are; only the instructor sees it. Put your own here.
    private static final String AVATAR = "Steph";    // what everybody sees. Put your own here.

    // ---- YOUR STRATEGY: change this -------------------------------------------------------------------------

    // Say whether to bet; if not, you fold: decide() gives true or false.
    //   bet: the number B: chips that you have in the pot after a bet, 3 to 18
    //   second: whether your opponent has bet, and you have put in 2 chips; else you are the first, and have put in 1
    //   die: what you have rolled, 1 to 6
    //   opponent: the number of your opponent, from 0 to 999; it stays the same
    private boolean decide(int bet, boolean second, int die, int opponent) {
        return die >= 4;
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

    // Takes a question apart, asks decide(), and says its answer.
    private String replyTo(String question) {
        String[] fields = question.split(":", -1); // dice : B : 0 if you are first or 1 if second : your die : opponent
        int[] numbers = new int[4];
        boolean readable = fields.length == 5;
        try {
            for (int i = 0; readable && i < 4; i++) numbers[i] = Integer.parseInt(fields[i + 1]);
        } catch (NumberFormatException malformed) {
            readable = false;
        }
        if (!readable) {
            String shown = question.substring(0, Math.min(question.length(), 200));
            System.err.println("folded, because this question cannot be read: " + printable(shown));
            return "fold";
        }
        return decide(numbers[0], numbers[1] == 1, numbers[2], numbers[3]) ? "bet" : "fold";
    }

    // What the dealer said, without characters that a terminal would obey.
    private static String printable(String text) { return text.replaceAll("\\p{C}", "?"); }

    // Answers until the dealer says done. Every question gets exactly one reply, within one second.
    void play(String name) throws IOException {
        while (true) {
            String message = read();
            if (message.equals("login")) write(name);
            else if (message.startsWith("dice:")) write(replyTo(message));
            else if (message.startsWith("done:")) {
                System.out.println(printable(message.substring("done:".length()))); // why the game is over for you
                return;
            } // What is left is "game", the rules agreed, and "status": how a hand ended. They get no reply.
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
