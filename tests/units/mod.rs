//! The launcher in bash, and the units under real systemd.

mod launcher;
mod machine;
