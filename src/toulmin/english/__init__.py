"""What the rest knows of English: words, numbers and dates in text, sentences, WordNet. Pure functions, one of each.

None of it belongs to a graph or a data set; another language needs another package like this one.
"""
