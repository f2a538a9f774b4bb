"""What an answer rests on, and the checker. Never imports methods or llm."""
