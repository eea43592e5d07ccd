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
    expect("high cards", "bet:15", reply_to("bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:10"));
    expect("high cards that may not raise", "bet:5", reply_to("bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:0"));
    expect("low cards, for free", "bet:0", reply_to("bet1:990:25:0:AS:2H:3D:up:JH:QD:bets:raise:10"));
    expect("low cards, at a price", "fold", reply_to("bet1:990:25:5:AS:2H:3D:up:JH:QD:bets:1=5:raise:10"));

    // A whole session through a pair of sockets, one end of which is ours.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
    for (string message :
         {"login", "bet1:990:25:5:KS:9H:8D:up:JH:QD:bets:1=5:raise:10",
          "status:win:10S:9C:AD:8D:2C", "done:bye"})
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
