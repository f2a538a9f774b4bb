"""A text taken apart, by rules on words or by a model: its sentences, and the atomic facts that they state."""
