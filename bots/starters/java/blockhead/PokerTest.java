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
        expect("high cards", "bet:15", replyTo("bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:10"));
        expect("high cards that may not raise", "bet:5", replyTo("bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:0"));
        expect("low cards, for free", "bet:0", replyTo("bet1:990:25:0:AS:2H:3D:up:JH:QD:bets:raise:10"));
        expect("low cards, at a price", "fold", replyTo("bet1:990:25:5:AS:2H:3D:up:JH:QD:bets:1=5:raise:10"));
        System.out.println("all is well");
    }
}
