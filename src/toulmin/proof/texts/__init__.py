"""What checking a text adds to a proof: claims of its sentences, what bears them out, and what follows from that."""
