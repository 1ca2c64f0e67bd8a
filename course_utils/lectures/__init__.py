"""What each lecture brings in, one module a lecture: its setup cell names them, one by one."""
