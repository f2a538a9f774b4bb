"""A graph's schema as a model is shown it: classes, relations, how to query them, and what a question names."""

from toulmin.methods.schema_view.schema_reader import SchemaReader, reader_of
from toulmin.methods.schema_view.view import ClassSeen, QuestionName, RelationSeen, SchemaView

__all__ = ["ClassSeen", "QuestionName", "RelationSeen", "SchemaReader", "SchemaView", "reader_of"]
