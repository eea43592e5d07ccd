"""What several tests of the dealer share: dealers on loopback, journals, pages and feeds to look at."""
