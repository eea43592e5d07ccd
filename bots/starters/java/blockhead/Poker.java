// A Blockhead Poker player to start from.
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public class Poker {
    private static final String ID = "StephenCurry"; // who you are; only the instructor sees it. Put your own here.
    private static final String AVATAR = "Steph";    // what everybody sees. Put your own here.

    // ---- YOUR STRATEGY: change this -------------------------------------------------------------------------

    // Say how many chips to put in now. Less than what is owed means: fold.
    //   stack: the chips you have left; the bank lends you more
    //   pot: the chips on the table
    //   owed: the chips you must put in to stay in; 0 if nobody has bet more than you
    //   mine: your cards, "KS" or "10D"; the first is hidden
    //   others: of each opponent the cards that lie face up
    //   most: the largest raise, in chips beyond what is owed; 0 if you may not raise
    private int decide(int stack, int pot, int owed, List<String> mine, List<List<String>> others, int most) {
        int points = 0;
        for (String card : mine) points += points(card.substring(0, card.length() - 1)); // of "10D": "10"
        if (points >= 8 * mine.size()) return owed + most; // high cards: the largest raise, or a call
        return points >= 6 * mine.size() ? owed : 0;       // a call; or check if that is free, else fold
    }

    private static int points(String value) {
        if (value.equals("A")) return 1;
        return value.matches("[2-9]") ? Integer.parseInt(value) : 10; // 10, J, Q and K
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

    // Takes a bet1, bet2 or bet3 apart, asks decide(), and makes its answer a legal one.
    private String replyTo(String question) {
        // bet1:stack:pot:owed:your cards:up:an opponent's cards:up: ...:bets: ...:raise:most
        List<String> fields = Arrays.asList(question.split(":", -1));
        int stack = 0, pot = 0, owed = 0, most = 0, up = fields.indexOf("up"), bets = fields.indexOf("bets");
        boolean readable = up >= 4 && up < bets && !fields.contains("");
        try {
            stack = Integer.parseInt(fields.get(1));
            pot = Integer.parseInt(fields.get(2));
            owed = Integer.parseInt(fields.get(3));
            most = Integer.parseInt(fields.get(fields.size() - 1));
            readable &= fields.get(fields.size() - 2).equals("raise");
        } catch (IndexOutOfBoundsException | NumberFormatException malformed) {
            readable = false;
        }
        if (!readable) {
            String shown = question.substring(0, Math.min(question.length(), 200));
            System.err.println("folded, because this question cannot be read: " + printable(shown));
            return "fold";
        }
        List<List<String>> others = new ArrayList<>();
        for (String field : fields.subList(up, bets)) {
            if (field.equals("up")) others.add(new ArrayList<>());
            else others.get(others.size() - 1).add(field);
        }
        int chips = decide(stack, pot, owed, fields.subList(4, up), others, most);
        if (chips < owed && owed > 0) return "fold"; // only a bet can be folded to
        return "bet:" + Math.min(Math.max(chips, 0), owed + most);
    }

    // What the dealer said, without characters that a terminal would obey.
    private static String printable(String text) { return text.replaceAll("\\p{C}", "?"); }

    // Answers until the dealer says done. Every question gets exactly one reply, within one second.
    void play(String name) throws IOException {
        while (true) {
            String message = read();
            if (message.equals("login")) write(name);
            else if (message.matches("(?s)bet[1-3]:.*")) write(replyTo(message));
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
