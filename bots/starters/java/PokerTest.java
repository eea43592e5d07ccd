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
        for (String message : new String[] {"login", question, "status:win:10S:9C:AD", "done:bye"}) dealer.writeUTF(message);
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
        expect("a pair", "bet:15", replyTo("bet1:400:2:5:10C:10D:up:10D:KH"));
        expect("a pair with few chips", "bet:12", replyTo("bet1:12:2:5:10C:10D:up:10D:KH"));
        expect("nothing, for free", "bet:0", replyTo("bet2:400:2:0:10C:KD:9S:up:KD:9S:10H:10S"));
        expect("nothing, at a price", "fold", replyTo("bet2:400:2:1:10C:KD:9S:up:KD:9S:10H:10S"));
        System.out.println("all is well");
    }
}
