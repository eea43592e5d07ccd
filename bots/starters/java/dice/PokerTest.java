// Tests of your player, without a dealer: javac *.java && java PokerTest

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

public class PokerTest {
    // Plays one whole session in memory: the dealer says login, then the question, then done. Gives the reply.
    private static String replyTo(String question) throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream(), heard = new ByteArrayOutputStream();
        DataOutputStream dealer = new DataOutputStream(said);
        for (String message : new String[] {"login", question, "status:4:6:-12", "done:bye"}) dealer.writeUTF(message);
        new Poker(new ByteArrayInputStream(said.toByteArray()), heard).play("me:Me");
        DataInputStream replies = new DataInputStream(new ByteArrayInputStream(heard.toByteArray()));
        expect("the reply to login", "me:Me", replies.readUTF());
        String reply = replies.readUTF();
        expect("what is said without a question, in bytes", "0", "" + replies.available());
        return reply;
    }

    private static void expect(String what, String expected, String got) {
        if (!expected.equals(got)) throw new AssertionError(what + ": expected " + expected + ", got " + got);
    }

    public static void main(String[] args) throws IOException {
        expect("a high die, first", "bet", replyTo("dice:12:0:4:3"));
        expect("a high die, second", "bet", replyTo("dice:12:1:6:3"));
        expect("a low die, first", "fold", replyTo("dice:3:0:3:7"));
        expect("a low die, second", "fold", replyTo("dice:18:1:1:7"));
        System.out.println("all is well");
    }
}
