//! What a text is about.

/// What a text is about.
#[derive(Clone, Copy)]
pub(super) enum Subject {
    Azure,
    /// What Azure and others write.
    LikeAzure,
    /// Another kind of cluster.
    Foreign,
    /// Another cloud.
    OtherCloud,
    /// A service of Azure that is no part of a node.
    OtherService,
    Node,
}

/// Subjects of a text.
#[derive(Clone, Copy, Default)]
pub(super) struct Subjects([bool; Subject::Node as usize + 1]);

impl Subjects {
    pub(super) fn insert(&mut self, subject: Subject) {
        self.0[subject as usize] = true;
    }

    pub(super) const fn contains(self, subject: Subject) -> bool {
        self.0[subject as usize]
    }
}
