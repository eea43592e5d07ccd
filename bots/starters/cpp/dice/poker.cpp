// A player of dice to start from.
// Compile:  make          Run:  ./poker <address> <port>
//
// It knows how to talk to the dealer, and plays very simply. Everything worth changing is in decide().

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using std::string;
using std::vector;

const string ID = "StephenCurry"; // who you are; only the instructor sees it. Put your own here.
const string AVATAR = "Steph";    // what everybody sees. Put your own here.

// ---- YOUR STRATEGY: change this ----------------------------------------------------------------------------

// Say whether to bet; if not, you fold: decide() gives true or false.
//   bet: the number B: chips that you have in the pot after a bet, 3 to 18
//   second: whether your opponent has bet, and you have put in 2 chips; else you are the first, and have put in 1
//   die: what you have rolled, 1 to 6
//   opponent: the number of your opponent, from 0 to 999; it stays the same
bool decide(int /*bet*/, bool /*second*/, int die, int /*opponent*/) {
    return die >= 4;
}

// ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. ------------

// What the dealer said, without characters that a terminal would obey.
string printable(string text) {
    for (size_t i = 0; i < text.size(); i++) {
        unsigned char byte = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
        if (byte == 0xC2 && next < 0xA0) text[i] = text[i + 1] = '?'; // U+0080 to U+009F, two bytes each
        if (byte < ' ' || byte == 127) text[i] = '?';
    }
    return text;
}

// A number of a question; throws if it is none.
int number(const string& field) {
    size_t used = 0;
    int value = std::stoi(field, &used);
    if (used < field.size()) throw std::invalid_argument(field);
    return value;
}

// Takes a question apart, asks decide(), and says its answer.
string reply_to(const string& question) {
    vector<int> numbers; // dice : B : 0 if you are first or 1 if second : your die : opponent
    std::istringstream text(question);
    string field;
    bool readable = static_cast<bool>(std::getline(text, field, ':'));
    try {
        while (std::getline(text, field, ':')) numbers.push_back(number(field));
    } catch (const std::logic_error&) {
        readable = false;
    }
    if (!readable || numbers.size() != 4) {
        std::cerr << "folded, because this question cannot be read: " << printable(question.substr(0, 200)) << std::endl;
        return "fold";
    }
    return decide(numbers[0], numbers[1] == 1, numbers[2], numbers[3]) ? "bet" : "fold";
}

// Java sends a character beyond U+FFFF, such as an emoji, as the two halves of UTF-16, three bytes each.
void append_half(string& bytes, unsigned half) {
    bytes += static_cast<char>(0xE0 | half >> 12);
    for (int shift : {6, 0}) bytes += static_cast<char>(0x80 | (half >> shift & 0x3F));
}

// The text as Java sends it: four bytes of one character become two halves.
string to_java(const string& text) {
    string bytes;
    for (size_t i = 0; i < text.size(); i++) {
        if ((text[i] & 0xF8) != 0xF0 || i + 3 >= text.size()) {
            bytes += text[i];
            continue;
        }
        unsigned code = text[i] & 7;
        for (int more = 0; more < 3; more++) code = code << 6 | (text[++i] & 0x3F);
        append_half(bytes, 0xD800 + ((code - 0x10000) >> 10));
        append_half(bytes, 0xDC00 + (code & 0x3FF));
    }
    return bytes;
}

// The text that Java sent: two halves become the four bytes of one character.
string from_java(const string& bytes) {
    auto at = [&](size_t i) { return i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0u; };
    string text;
    for (size_t i = 0; i < bytes.size(); i++) {
        bool halves = at(i) == 0xED && (at(i + 1) & 0xF0) == 0xA0 && at(i + 3) == 0xED && (at(i + 4) & 0xF0) == 0xB0;
        if (!halves) {
            text += bytes[i];
            continue;
        }
        unsigned code = 0x10000 + ((at(i + 1) & 0xF) << 16 | (at(i + 2) & 0x3F) << 10 | (at(i + 4) & 0xF) << 6 |
                                   (at(i + 5) & 0x3F));
        text += static_cast<char>(0xF0 | code >> 18);
        for (int shift : {12, 6, 0}) text += static_cast<char>(0x80 | (code >> shift & 0x3F));
        i += 5;
    }
    return text;
}

// Waits for exactly so many bytes; false if the dealer has hung up.
bool read_bytes(int dealer, char* bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = read(dealer, bytes + done, count - done);
        if (got <= 0) return false;
        done += got;
    }
    return true;
}

// Waits for one message: two bytes that say how long it is, then its text. Java calls this readUTF.
bool read_message(int dealer, string& message) {
    unsigned char length[2];
    if (!read_bytes(dealer, reinterpret_cast<char*>(length), 2)) return false;
    message.resize(length[0] * 256 + length[1]);
    if (!read_bytes(dealer, &message[0], message.size())) return false;
    message = from_java(message);
    return true;
}

// Sends one message in the same form, in one piece. Java calls this writeUTF.
void write_message(int dealer, const string& message) {
    string text = to_java(message);
    string bytes{static_cast<char>(text.size() / 256), static_cast<char>(text.size() % 256)};
    bytes += text;
    for (size_t done = 0; done < bytes.size();) {
        ssize_t sent = send(dealer, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (sent <= 0) return; // the dealer has hung up; what it said before that is still to be read
        done += sent;
    }
}

// A connection to the dealer; below zero if there is none.
int connect_to(const char* address, const char* port) {
    addrinfo wanted{}, *found = nullptr;
    wanted.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(address, port, &wanted, &found) != 0) return -1;
    int dealer = -1;
    for (addrinfo* one = found; one != nullptr && dealer < 0; one = one->ai_next) {
        dealer = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (dealer >= 0 && connect(dealer, one->ai_addr, one->ai_addrlen) != 0) {
            close(dealer);
            dealer = -1;
        }
    }
    freeaddrinfo(found);
    int yes = 1;
    if (dealer >= 0) setsockopt(dealer, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes); // send small messages at once
    return dealer;
}

// Answers until the dealer says done. Every question gets exactly one reply, within one second.
int play(int dealer, const string& name) {
    string message;
    while (read_message(dealer, message)) {
        if (message == "login") write_message(dealer, name);
        else if (message.compare(0, 5, "dice:") == 0) write_message(dealer, reply_to(message));
        else if (message.compare(0, 5, "done:") == 0) {
            std::cout << printable(message.substr(5)) << std::endl; // why the game is over for you
            return 0;
        } // What is left is "game", the rules agreed, and "status": how a hand ended. They get no reply.
    }
    std::cerr << "the dealer hung up without saying why" << std::endl;
    return 1;
}

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "run it with: ./poker <address> <port>" << std::endl;
        return 1;
    }
    int dealer = connect_to(argv[1], argv[2]);
    if (dealer < 0) {
        std::cerr << "no dealer at " << argv[1] << " port " << argv[2] << std::endl;
        return 1;
    }
    // An id and an avatar may follow the port, to start several players at once.
    int code = play(dealer, (argc > 3 ? argv[3] : ID) + ":" + (argc > 4 ? argv[4] : AVATAR));
    close(dealer);
    return code;
}
