"""What a judged process may not do: the kernel's own locks, without root and without Docker."""
