// A three-card stud player to start from.
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
#include <set>
#include <sstream>
#include <string>
#include <vector>

using std::string;
using std::vector;

const string ID = "StephenCurry"; // who you are; only the instructor sees it. Put your own here.
const string AVATAR = "Steph";    // what everybody sees. Put your own here.

// ---- YOUR STRATEGY: change this ----------------------------------------------------------------------------

// Say how many chips to put in now. Less than what is owed means: fold.
//   stack: the chips you have left      mine: your cards, "KS" or "10D"; the first is the hidden one
//   pot: the chips on the table         table: everybody's cards that lie face up, yours too
//   owed: the chips you must put in to stay in; 0 if nobody has bet more than you
int decide(int /*stack*/, int /*pot*/, int owed, const vector<string>& mine, const vector<string>& /*table*/) {
    std::set<string> values;
    for (const string& card : mine) values.insert(card.substr(0, card.size() - 1)); // "10D" is "10" and "D"
    bool has_pair = values.size() < mine.size();                                     // a set holds nothing twice
    return has_pair ? owed + 10 : 0; // the highest bet there is; or check, or fold
}

// ---- The rest talks to the dealer. It keeps you from breaking the rules; you can leave it alone. ------------

// Takes a bet1 or bet2 apart, asks decide(), and makes its answer a legal one.
string reply_to(const string& question) {
    vector<string> fields; // bet1 : stack : pot : owed : your cards ... : up : everybody's cards ...
    std::istringstream text(question);
    for (string field; std::getline(text, field, ':');) fields.push_back(field);
    int stack = std::stoi(fields.at(1)), pot = std::stoi(fields.at(2)), owed = std::stoi(fields.at(3));
    auto up = std::find(fields.begin(), fields.end(), "up");
    int chips = decide(stack, pot, owed, vector<string>(fields.begin() + 4, up), vector<string>(up + 1, fields.end()));
    if (chips < owed || stack < owed) return "fold";
    return "bet:" + std::to_string(std::min({chips, owed + 10, stack})); // at most 10 more, never over the stack
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
    return read_bytes(dealer, &message[0], message.size());
}

// Sends one message in the same form, in one piece. Java calls this writeUTF.
void write_message(int dealer, const string& message) {
    string bytes{static_cast<char>(message.size() / 256), static_cast<char>(message.size() % 256)};
    bytes += message;
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
        else if (message.compare(0, 3, "bet") == 0) write_message(dealer, reply_to(message));
        else if (message.compare(0, 5, "done:") == 0) {
            std::cout << message.substr(5) << std::endl; // why the game is over for you
            return 0;
        } // What is left is "status": how a hand ended. It gets no reply, but you can learn from it.
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
