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
    expect("a pair", "bet:20",
           reply_to("bet1:990:20:10:KS:KD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0"));
    expect("a pair that may not raise", "bet:90",
           reply_to("bet2:90:500:90:KS:2D:board:KH:5C:9D:raise:0:0:seats:0/90/0/live:1/0/300/allin:button:0"));
    expect("nothing, for free", "bet:0",
           reply_to("bet2:990:20:0:KS:2D:board:QH:5C:9D:raise:10:990:seats:0/990/0/live:1/990/0/live:button:0"));
    expect("nothing, at a price", "fold",
           reply_to("bet2:990:20:10:KS:2D:board:QH:5C:9D:raise:20:990:seats:0/990/0/live:1/980/10/live:button:0"));

    // A whole session through a pair of sockets, one end of which is ours.
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
    for (string message :
         {"login", "bet1:990:20:10:KS:KD:board:raise:20:990:seats:0/990/10/live:1/980/20/live:button:0",
          "status:win:10S:9C:AD:8D:2C", "done:bye"})
        write_message(ends[0], message);
    expect("the code at the end", "0", std::to_string(play(ends[1], "me:Me")));
    close(ends[1]);
    string reply;
    expect("a reply to login", "1", std::to_string(read_message(ends[0], reply)));
    expect("the reply to login", "me:Me", reply);
    expect("a reply to bet1", "1", std::to_string(read_message(ends[0], reply)));
    expect("the reply to bet1", "bet:20", reply);
    expect("one more reply", "0", std::to_string(read_message(ends[0], reply)));
    std::cout << "all is well" << std::endl;
}
