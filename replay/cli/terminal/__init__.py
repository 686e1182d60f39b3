"""What all commands share: opening logs, printing, files, the pager, the prompt."""
