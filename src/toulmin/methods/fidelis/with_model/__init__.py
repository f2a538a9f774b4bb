"""FiDeLiS with a language model (papers/fidelis sections 2.1-2.2, algorithms 1-2, appendix F)."""
