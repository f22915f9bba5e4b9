"""People answer a suite's questions: Label Studio projects out, their answers and agreement in."""
