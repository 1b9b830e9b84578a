//! The helpers, each by itself in bash.
