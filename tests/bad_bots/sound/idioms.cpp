// idioms <idiom> <address> <port>: a student's program without a mistake, in one of the ways to talk.

#include <arpa/inet.h>
#include <cstdio>
#include <cstdlib>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/uio.h>
#include <thread>
#include <unistd.h>

static std::string idiom;
static int fd;
static FILE *in, *out;

static size_t some(char *to, size_t size) {
    if (idiom == "stdio") return fread(to, 1, size, in);
    if (idiom == "polling") {
        ssize_t got;
        while ((got = recv(fd, to, size, MSG_DONTWAIT)) < 0) usleep(1000);
        return got;
    }
    if (idiom == "poll") {
        pollfd one{fd, POLLIN, 0};
        poll(&one, 1, -1);
    }
    if (idiom == "wait-all") return recv(fd, to, size, MSG_WAITALL);
    return recv(fd, to, idiom == "bytes" ? 1 : size, 0);
}

static std::string take(size_t size) {
    std::string text(size, ' ');
    for (size_t got = 0; got < size;) {
        size_t more = some(&text[got], size - got);
        if (!more) exit(1);
        got += more;
    }
    return text;
}

static std::string take_message() {
    std::string size = take(2);
    return take((unsigned char)size[0] * 256 + (unsigned char)size[1]);
}

static void put(const void *data, size_t size) {
    if (write(fd, data, size) != (ssize_t)size) exit(1);
}

static void say(const std::string &text) {
    unsigned char size[2] = {0, (unsigned char)text.size()};
    if (idiom == "stdio") {
        fwrite(size, 1, 2, out);
        fwrite(text.data(), 1, text.size(), out);
        fflush(out);
    } else if (idiom == "two-writes") {
        put(size, 2);
        put(text.data(), text.size());
    } else if (idiom == "writev") {
        iovec both[2] = {{size, 2}, {const_cast<char *>(text.data()), text.size()}};
        if (writev(fd, both, 2) < 0) exit(1);
    } else if (idiom == "bytes") {
        put(size, 1);
        put(size + 1, 1);
        for (char one : text) put(&one, 1);
    } else {
        std::string frame(reinterpret_cast<char *>(size), 2);
        frame += text;
        put(frame.data(), frame.size());
    }
}

static void play() {
    for (std::string text = take_message(); text.compare(0, 4, "done"); text = take_message()) {
        if (text == "login") say("ada-l:Ada");
        if (text.compare(0, 3, "bet")) continue;
        size_t at = 0;
        for (int colon = 0; colon < 3; colon++) at = text.find(':', at) + 1;
        say("bet:" + text.substr(at, text.find(':', at) - at));
    }
}

int main(int, char **argv) {
    idiom = argv[1];
    fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(atoi(argv[3]));
    inet_pton(AF_INET, argv[2], &address.sin_addr);
    if (connect(fd, reinterpret_cast<sockaddr *>(&address), sizeof address)) return 1;
    int yes = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    in = fdopen(fd, "rb");
    out = fdopen(dup(fd), "wb");
    if (idiom == "thread") {
        std::thread player(play);
        player.join();
    } else {
        play();
    }
    if (idiom == "half-close") {
        shutdown(fd, SHUT_WR);
        char rest;
        while (recv(fd, &rest, 1, 0) > 0) { }
    }
    return 0;
}
