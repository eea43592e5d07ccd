// A Texas Hold'em player to start from.
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
import java.util.List;

public class Poker {
    private static final String ID = "StephenCurry"; // who you are; only the instructor sees it. Put your own here.
    private static final String AVATAR = "Steph";    // what everybody sees. Put your own here.

    // ---- YOUR STRATEGY: change this -------------------------------------------------------------------------

    // Say how many chips to put in now. Less than what is owed means: fold.
    //   stack: the chips you have left      mine: your two cards, "KS" or "10D"
    //   pot: the chips on the table         board: the cards that belong to all: none, three, four or five
    //   owed: the chips a call puts in      least, most: the chips a raise may put in; 0 and 0 if you may not raise
    //   seats: of each seat "number/chips left/chips put in on this street/state"
    private int decide(int stack, int pot, int owed, List<String> mine, List<String> board, int least, int most,
                       List<String> seats) {
        String first = value(mine.get(0)), second = value(mine.get(1));
        boolean hasPair = first.equals(second); // or a pair with the board:
        for (String card : board) hasPair |= value(card).equals(first) || value(card).equals(second);
        if (!hasPair) return 0;         // nothing to bet on: check if that is free, else fold
        return least > 0 ? least : owed; // the smallest raise, or a call
    }

    private static String value(String card) { return card.substring(0, card.length() - 1); } // of "10D": "10"

    // ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. --------

    private final DataInputStream dis;
    private final DataOutputStream dos;

    Poker(InputStream fromDealer, OutputStream toDealer) {
        dis = new DataInputStream(fromDealer);
        dos = new DataOutputStream(toDealer);
    }

    private void write(String s) throws IOException { dos.writeUTF(s); dos.flush(); }

    private String read() throws IOException { return dis.readUTF(); }

    // Takes a bet1 to bet4 apart, asks decide(), and makes its answer a legal one.
    private String replyTo(String question) {
        // bet1:stack:pot:owed:two cards:board:cards ...:raise:least:most:seats:...:button:seat
        List<String> fields = Arrays.asList(question.split(":", -1));
        int stack = 0, pot = 0, owed = 0, least = 0, most = 0;
        int raise = fields.indexOf("raise"), button = fields.indexOf("button");
        boolean readable = raise > 6 && button > raise + 3 && !fields.contains("");
        try {
            stack = Integer.parseInt(fields.get(1));
            pot = Integer.parseInt(fields.get(2));
            owed = Integer.parseInt(fields.get(3));
            least = Integer.parseInt(fields.get(raise + 1));
            most = Integer.parseInt(fields.get(raise + 2));
            readable &= fields.get(6).equals("board") && fields.get(raise + 3).equals("seats");
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            readable = false;
        }
        if (!readable) {
            String shown = question.substring(0, Math.min(question.length(), 200));
            System.err.println("folded, because this question cannot be read: " + printable(shown));
            return "fold";
        }
        List<String> mine = fields.subList(4, 6), board = fields.subList(7, raise);
        int chips = decide(stack, pot, owed, mine, board, least, most, fields.subList(raise + 4, button));
        if (chips < owed) return "fold";
        if (least == 0 || chips < least) return "bet:" + owed; // too little for a raise: a call, or a check
        return "bet:" + Math.min(chips, most);
    }

    // What the dealer said, without characters that a terminal would obey.
    private static String printable(String text) { return text.replaceAll("\\p{C}", "?"); }

    // Answers until the dealer says done. Every question gets exactly one reply, within one second.
    void play(String name) throws IOException {
        while (true) {
            String message = read();
            if (message.equals("login")) write(name);
            else if (message.matches("(?s)bet[1-4]:.*")) write(replyTo(message));
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
