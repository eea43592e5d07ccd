# perl idioms.pl <idiom> <address> <port>: a student's program without a mistake, in one of the ways to talk.

use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

my ($idiom, $host, $port) = @ARGV;
my $socket = IO::Socket::INET->new(PeerAddr => $host, PeerPort => $port, Proto => 'tcp') or die "no dealer: $!";
setsockopt($socket, 6, 1, 1);
$socket->autoflush($idiom ne 'buffered');
my $select = IO::Select->new($socket);

sub take {
    my ($size) = @_;
    my $data = '';
    while (length($data) < $size) {
        if ($idiom eq 'select') { 1 until $select->can_read(0.01) }
        my $more = $size - length($data);
        my $got = $idiom eq 'buffered' ? read($socket, $data, $more, length $data)
            : sysread($socket, $data, $idiom eq 'bytes' ? 1 : $more, length $data);
        die "the dealer hung up\n" unless $got;
    }
    return $data;
}

sub say_it {
    my ($text) = @_;
    if ($idiom eq 'buffered') {
        print $socket pack('n', length $text);
        print $socket $text;
        $socket->flush;
    } elsif ($idiom eq 'two-writes') {
        syswrite($socket, pack('n', length $text));
        syswrite($socket, $text);
    } elsif ($idiom eq 'bytes') {
        syswrite($socket, $_) for split //, pack('n/a*', $text);
    } else {
        syswrite($socket, pack('n/a*', $text));
    }
}

while (1) {
    my $text = take(unpack 'n', take(2));
    if ($text eq 'login') { say_it('ada-l:Ada') }
    elsif ($text =~ /^bet/) { say_it('bet:' . (split /:/, $text)[3]) }
    elsif ($text =~ /^done/) { last }
}
if ($idiom eq 'half-close') {
    shutdown($socket, 1);
    sysread($socket, my $rest, 1);
}
close $socket;
