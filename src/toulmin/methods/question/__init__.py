"""What a question says beside names and relations: words that restrict or deny it, and names that a graph lacks."""
