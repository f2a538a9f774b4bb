"""One module or package per method: question + graph -> Answer."""
