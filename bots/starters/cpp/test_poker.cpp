// Tests of your player, without a dealer: make test

#define main poker_main // the player has a main of its own
#include "poker.cpp"
#undef main

void expect(const string& what, const string& expected, const string& got) {
    if (expected == got) return;
    std::cerr << what << ": expected " << expected << ", got " << got << std::endl;
    exit(1);
}

int main() {
    expect("a pair", "bet:15", reply_to("bet1:400:2:5:10C:10D:up:10D:KH"));
    expect("a pair with few chips", "bet:12", reply_to("bet1:12:2:5:10C:10D:up:10D:KH"));
    expect("nothing, for free", "bet:0", reply_to("bet2:400:2:0:10C:KD:9S:up:KD:9S:10H:10S"));
    expect("nothing, at a price", "fold", reply_to("bet2:400:2:1:10C:KD:9S:up:KD:9S:10H:10S"));

    // A whole session through a pair of sockets, one end of which is ours.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
    for (string message : {"login", "bet1:400:2:5:10C:10D:up:10D:KH", "status:win:10S:9C:AD", "done:bye"})
        write_message(ends[0], message);
    expect("the code at the end", "0", std::to_string(play(ends[1], "me:Me")));
    close(ends[1]);
    string reply;
    expect("a reply to login", "1", std::to_string(read_message(ends[0], reply)));
    expect("the reply to login", "me:Me", reply);
    expect("a reply to bet1", "1", std::to_string(read_message(ends[0], reply)));
    expect("the reply to bet1", "bet:15", reply);
    expect("one more reply", "0", std::to_string(read_message(ends[0], reply)));
    std::cout << "all is well" << std::endl;
}
