"""What a model's recorded reasoning adds to a proof: chains of thought, how well evidence bears them out, votes."""
