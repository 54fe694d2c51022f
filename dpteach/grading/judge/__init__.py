"""Floor 6. Marks: each answer in a sandbox, judged by a process that trusts nothing."""
