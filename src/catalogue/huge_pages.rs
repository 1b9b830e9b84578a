//! Words that the kernel accepts in settings for transparent huge pages.
//!
//! From <https://www.kernel.org/doc/html/latest/admin-guide/mm/transhuge.html>; AKS accepts the same words.

/// Words of `/sys/kernel/mm/transparent_hugepage/enabled`.
pub const ENABLED: &[&str] = &["always", "madvise", "never"];

/// Words of `/sys/kernel/mm/transparent_hugepage/defrag`.
pub const DEFRAG: &[&str] = &["always", "defer", "defer+madvise", "madvise", "never"];
