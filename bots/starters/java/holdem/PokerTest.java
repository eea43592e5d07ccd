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
        for (String message : new String[] {"login", question, "status:win:10S:9C:AD:8D:2C", "done:bye"}) dealer.writeUTF(message);
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
        expect("a pair", "bet:20",
               replyTo("bet1:990:20:10:KS:KD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0"));
        expect("a pair that may not raise", "bet:90",
               replyTo("bet2:90:500:90:KS:2D:board:KH:5C:9D:raise:0:0:seats:0/90/0/live:1/0/300/allin:button:0"));
        expect("nothing, for free", "bet:0",
               replyTo("bet2:990:20:0:KS:2D:board:QH:5C:9D:raise:10:990:seats:0/990/0/live:1/990/0/live:button:0"));
        expect("nothing, at a price", "fold",
               replyTo("bet2:990:20:10:KS:2D:board:QH:5C:9D:raise:20:990:seats:0/990/0/live:1/980/10/live:button:0"));
        System.out.println("all is well");
    }
}
