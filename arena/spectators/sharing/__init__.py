"""Links that chats and feed readers show: cards of matches, and feeds of results."""
