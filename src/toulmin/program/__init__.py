"""Programs: the nodes of a certificate, their fast evaluation over a graph, and the making of answers."""
