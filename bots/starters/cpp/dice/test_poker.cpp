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
    expect("a high die, first", "bet", reply_to("dice:12:0:4:3"));
    expect("a high die, second", "bet", reply_to("dice:12:1:6:3"));
    expect("a low die, first", "fold", reply_to("dice:3:0:3:7"));
    expect("a low die, second", "fold", reply_to("dice:18:1:1:7"));

    // A whole session through a pair of sockets, one end of which is ours.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
    for (string message : {"login", "dice:12:0:4:3", "status:4:6:-12", "done:bye"}) write_message(ends[0], message);
    expect("the code at the end", "0", std::to_string(play(ends[1], "me:Me")));
    close(ends[1]);
    string reply;
    expect("a reply to login", "1", std::to_string(read_message(ends[0], reply)));
    expect("the reply to login", "me:Me", reply);
    expect("a reply to dice", "1", std::to_string(read_message(ends[0], reply)));
    expect("the reply to dice", "bet", reply);
    expect("one more reply", "0", std::to_string(read_message(ends[0], reply)));
    std::cout << "all is well" << std::endl;
}
