// java Idioms <idiom> <address> <port>: a student's program without a mistake, in one of the ways that Java programs talk.

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

public class Idioms {
    private final String idiom;
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private final BlockingQueue<String> messages = new LinkedBlockingQueue<>();

    private Idioms(String idiom, String address, int port) throws IOException {
        this.idiom = idiom;
        socket = new Socket(address, port);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
        out = idiom.equals("buffered") ? new BufferedOutputStream(socket.getOutputStream()) : socket.getOutputStream();
    }

    private String read() throws IOException {
        while (idiom.equals("polling") && in.available() == 0) {
            try {
                Thread.sleep(1);
            } catch (InterruptedException error) {
                throw new IOException(error);
            }
        }
        return in.readUTF();
    }

    private void write(String text) throws IOException {
        byte[] data = text.getBytes(StandardCharsets.UTF_8);
        if (idiom.equals("two-writes")) {
            out.write(new byte[] {0, (byte) data.length});
            out.write(data);
        } else if (idiom.equals("bytes")) {
            out.write(0);
            out.write(data.length);
            for (byte one : data) out.write(one);
        } else if (idiom.equals("one-write")) {
            byte[] frame = ByteBuffer.allocate(2 + data.length).putShort((short) data.length).put(data).array();
            out.write(frame);
        } else {
            new DataOutputStream(out).writeUTF(text);
            out.flush();
        }
    }

    private void play() throws Exception {
        if (idiom.equals("thread")) {
            Thread reader = new Thread(() -> {
                try {
                    String text;
                    do {
                        text = in.readUTF();
                        messages.add(text);
                    } while (!text.startsWith("done"));
                } catch (IOException error) {
                    messages.add("done:" + error);
                }
            });
            reader.setDaemon(true);
            reader.start();
        }
        while (true) {
            String text = idiom.equals("thread") ? messages.take() : read();
            if (text.equals("login")) write("ada-l:Ada");
            else if (text.startsWith("bet")) write("bet:" + text.split(":")[3]);
            else if (text.startsWith("done")) break;
        }
        if (idiom.equals("half-close")) {
            socket.shutdownOutput();
            while (in.read() >= 0) { }
        }
        socket.close();
    }

    public static void main(String[] args) throws Exception {
        new Idioms(args[0], args[1], Integer.parseInt(args[2])).play();
    }
}
