"""FiDeLiS without a language model: the words of a question are aligned with relation paths (papers/fidelis C)."""
