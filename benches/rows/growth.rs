//! Documents of one kind of content and any size.

use std::fmt::{self, Write as _};
use std::hint::black_box;

use aks_node_controller::inputs::{Checks, Reading};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// A kind of content.
pub struct Kind {
    /// What there is much of.
    pub name: &'static str,
    /// One element of the content, from its number.
    element: fn(&mut String, usize),
    /// What is before all elements, and after them.
    around: (&'static str, &'static str),
    /// What separates two elements.
    separator: &'static str,
}

/// Every kind.
pub const GROWTH: &[Kind] = &[
    Kind {
        name: "flags",
        element: |text, n| append(text, format_args!(r#""--flag-of-an-extension-{n:06}": "a value of some length""#)),
        around: (r#""kubelet_config": {"kubelet_flags": {"#, "}}"),
        separator: ",\n",
    },
    Kind {
        name: "labels",
        element: |text, n| append(text, format_args!(r#""example.com/label-{n:06}": "a-value-of-some-length""#)),
        around: (r#""kubelet_config": {"kubelet_node_labels": {"#, "}}"),
        separator: ",\n",
    },
    Kind {
        name: "taints",
        element: |text, n| append(text, format_args!("example.com/taint-{n:06}=a-value:NoSchedule")),
        around: (r#""kubelet_config": {"kubelet_flags": {"--register-with-taints": ""#, r#""}}"#),
        separator: ",",
    },
    Kind {
        name: "sysctls",
        element: |text, n| append(text, format_args!(r#""net.ipv4.conf.eth{n:06}.*""#)),
        around: (r#""kubelet_config": {"kubelet_config_file_config": {"allowed_unsafe_sysctls": ["#, "]}}"),
        separator: ",\n",
    },
    Kind {
        name: "certificates",
        element: |text, _| append(text, format_args!(r#""{}""#, STANDARD.encode(CERTIFICATE))),
        around: (r#""custom_ca_certs": ["#, "]"),
        separator: ",\n",
    },
    Kind {
        name: "escaped text",
        element: |text, _| text.push_str(r#"a \"quoted\" word\tand \\ a line\n"#),
        around: (r#""message_of_the_day": ""#, r#"""#),
        separator: "",
    },
    Kind {
        name: "unknown fields",
        element: |text, n| append(text, format_args!(r#""a_field_of_tomorrow_{n:06}": {n}"#)),
        around: ("", ""),
        separator: ",\n",
    },
];

const CERTIFICATE: &[u8] = include_bytes!("../../testdata/certificates/authority.pem");

fn append(text: &mut String, element: fmt::Arguments<'_>) {
    text.write_fmt(element).expect("text takes text");
}

impl Kind {
    /// Returns a document of about this size in bytes.
    pub fn document(&self, size: usize) -> String {
        let mut text = format!(r#"{{"version": "v1", "auth_config": {{"subscription_id": "s"}}, {}"#, self.around.0);
        let mut number = 0;
        while text.len() < size {
            if number > 0 {
                text.push_str(self.separator);
            }
            (self.element)(&mut text, number);
            number += 1;
        }
        text.push_str(self.around.1);
        text.push('}');
        text
    }

    /// Reads a document and checks its values.
    pub fn read(document: &str) {
        let reading = Reading::new(None, black_box(document.as_bytes()), &Checks { values: true, ..Checks::default() });
        black_box(reading);
    }
}
