"""People answer a suite's questions in Label Studio: export projects, import answers, agreement."""
