// A program of the Annual Computer Poker Competition in C++: heads-up, it calls, and raises with the first action of
// each fifth hand. It tells from the betting alone whose turn it is, and answers with the line it was sent.
//
//     caller HOST PORT

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

// Whether a heads-up hand waits for this position; ``acted`` is told how many actions there were on the street.
static bool my_turn(const std::string &betting, int position, int &street, int &acted) {
    street = 0;
    acted = 0;
    bool over = false;
    for (char c : betting) {
        if (c == '/') { ++street; acted = 0; }
        else if (c == 'c' || c == 'f' || c == 'r') { ++acted; over = c == 'f' || (c == 'c' && acted > 1 && street == 3); }
    }
    if (over) return false;
    if (street == 3 && betting.find("r1000c") != std::string::npos) return false;  // both all in
    int first = street == 0 ? 1 : 0;
    return (first + acted) % 2 == position;
}

int main(int argc, char **argv) {
    if (argc < 3) return 2;
    addrinfo hints{}, *found = nullptr;
    hints.ai_socktype = SOCK_STREAM;
    if (getaddrinfo(argv[1], argv[2], &hints, &found) != 0) return 1;
    int sock = socket(found->ai_family, found->ai_socktype, 0);
    if (connect(sock, found->ai_addr, found->ai_addrlen) != 0) return 1;
    FILE *in = fdopen(sock, "r"), *out = fdopen(dup(sock), "w");
    fprintf(out, "VERSION:2.0.0\r\n");
    fflush(out);
    char line[4096], betting[4096];
    while (fgets(line, sizeof line, in)) {
        if (line[0] == '#' || line[0] == ';') continue;
        line[strcspn(line, "\r\n")] = 0;
        int position, hand, street, acted;
        betting[0] = 0;
        if (sscanf(line, "MATCHSTATE:%d:%d:%4000[^:]:", &position, &hand, betting) < 2) return 1;
        if (!my_turn(betting, position, street, acted)) continue;
        bool raises = hand % 5 == 0 && betting[0] == 0;
        fprintf(out, "%s:%s\r\n", line, raises ? "r30" : "c");
        fflush(out);
    }
    return 0;
}
