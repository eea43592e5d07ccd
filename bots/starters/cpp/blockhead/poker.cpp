// A Blockhead Poker player to start from.
// Compile:  make          Run:  ./poker <address> <port>
//
// It knows how to talk to the dealer, and plays very simply. Everything worth changing is in decide().

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
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

// Say how many chips to put in now. Less than what is owed means: fold.
//   stack: the chips you have left; the bank lends you more
//   pot: the chips on the table
//   owed: the chips you must put in to stay in; 0 if nobody has bet more than you
//   mine: your cards, "KS" or "10D"; the first is hidden
//   others: of each opponent the cards that lie face up
//   most: the largest raise, in chips beyond what is owed; 0 if you may not raise
int decide(int /*stack*/, int /*pot*/, int owed, const vector<string>& mine, const vector<vector<string>>& /*others*/,
           int most) {
    int points = 0, cards = mine.size();
    for (const string& card : mine) { // "10D" is "10" and "D"
        char first = card[0];
        points += first == 'A' ? 1 : first >= '2' && first <= '9' ? first - '0' : 10; // 10, J, Q and K
    }
    if (points >= 8 * cards) return owed + most; // high cards: the largest raise, or a call
    return points >= 6 * cards ? owed : 0;       // a call; or check if that is free, else fold
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

// Takes a bet1, bet2 or bet3 apart, asks decide(), and makes its answer a legal one.
string reply_to(const string& question) {
    vector<string> fields; // bet1 : stack : pot : owed : your cards ... : up : cards ... : bets : ... : raise : most
    std::istringstream text(question + ":");
    for (string field; std::getline(text, field, ':');) fields.push_back(field);
    int stack = 0, pot = 0, owed = 0, most = 0;
    auto up = std::find(fields.begin(), fields.end(), "up"), bets = std::find(up, fields.end(), "bets");
    bool readable = up - fields.begin() >= 4 && bets != fields.end() && std::count(fields.begin(), fields.end(), "") == 0;
    try {
        stack = number(fields.at(1)), pot = number(fields.at(2)), owed = number(fields.at(3));
        most = number(fields.back());
        readable = readable && fields[fields.size() - 2] == "raise";
    } catch (const std::logic_error&) {
        readable = false;
    }
    if (!readable) {
        std::cerr << "folded, because this question cannot be read: " << printable(question.substr(0, 200)) << std::endl;
        return "fold";
    }
    vector<vector<string>> others;
    for (auto field = up; field != bets; ++field) {
        if (*field == "up") others.emplace_back();
        else others.back().push_back(*field);
    }
    int chips = decide(stack, pot, owed, vector<string>(fields.begin() + 4, up), others, most);
    if (chips < owed && owed > 0) return "fold"; // only a bet can be folded to
    return "bet:" + std::to_string(std::min(std::max(chips, 0), owed + most));
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
        else if (message.compare(0, 3, "bet") == 0 && message.find_first_of("123", 3) == 3 && message[4] == ':')
            write_message(dealer, reply_to(message));
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
