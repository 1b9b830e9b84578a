//! The names of members.

use std::borrow::Cow;

use serde::Deserialize;

/// The name of a member, borrowed from the document unless it contains escapes.
#[derive(Deserialize)]
#[serde(transparent)]
pub(crate) struct Name<'n>(#[serde(borrow)] pub Cow<'n, str>);
