"""Knowledge graphs: core types, protocol, stores, readers."""
