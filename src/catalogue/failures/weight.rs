//! How much a text says about a failure.

/// How much a text says about the cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It reports that something else failed.
    Wrapper,
    /// It is a consequence of several causes, or also occurs for a while on a node that starts well.
    Symptom,
    /// It names the cause.
    Cause,
}
