//! Formats of texts inside variables and files, which decide what differences have a meaning.
//!
//! To add a format: a variant here, its reader in `difference::payload`, and the variables and paths that have it.

use super::paths;

/// The format of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Lines, in their order.
    #[default]
    Text,
    /// Words or `--flag=value`, separated by blanks. Their order has no meaning, except for the same flag.
    Words,
    /// `key=value` or words, separated by commas, without an order.
    List,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// TOML.
    Toml,
    /// `key=value` lines, as in files of `sysctl` and environment files. Of lines with the same key, the last one
    /// counts.
    Settings,
    /// A Corefile: blocks of plugins.
    Corefile,
    /// A systemd unit or another INI file: sections of keys.
    Unit,
}

impl Format {
    /// Returns the name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Words => "words",
            Self::List => "list",
            Self::Json => "JSON",
            Self::Yaml => "YAML",
            Self::Toml => "TOML",
            Self::Settings => "settings",
            Self::Corefile => "Corefile",
            Self::Unit => "unit",
        }
    }

    /// Returns the format of a file on a node, by its path.
    #[must_use]
    pub fn of_path(path: &str) -> Self {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let name = name.to_ascii_lowercase();
        let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
        match extension {
            "json" | "conflist" => Self::Json,
            "yaml" | "yml" | "kubeconfig" => Self::Yaml,
            "toml" => Self::Toml,
            "service" | "socket" | "timer" | "path" | "mount" | "target" | "slice" | "network" | "netdev" | "link" => {
                Self::Unit
            }
            "conf" if directory.starts_with("/etc/systemd/") => Self::Unit,
            "conf" if directory.ends_with("/sysctl.d") || name == "sysctl.conf" => Self::Settings,
            _ if name.contains("corefile") => Self::Corefile,
            _ if name.ends_with("kubeconfig") => Self::Yaml,
            _ if directory == "/etc/default" || [paths::FEATURES, "/etc/environment"].contains(&path) => Self::Settings,
            _ => Self::Text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_the_format_that_their_readers_expect() {
        for (path, format) in [
            ("/etc/kubernetes/azure.json", Format::Json),
            ("/etc/containerd/config.toml", Format::Toml),
            ("/etc/systemd/system/kubelet.service.d/10-tls.conf", Format::Unit),
            ("/etc/systemd/system/kubelet.service", Format::Unit),
            ("/etc/sysctl.d/999-sysctl-aks.conf", Format::Settings),
            ("/etc/default/kubelet", Format::Settings),
            (paths::FEATURES, Format::Settings),
            ("/opt/azure/containers/localdns/localdns.corefile", Format::Corefile),
            ("/var/lib/kubelet/bootstrap-kubeconfig", Format::Yaml),
            (paths::STEPS, Format::Text),
            ("", Format::Text),
        ] {
            assert_eq!(Format::of_path(path), format, "{path}");
        }
    }
}
