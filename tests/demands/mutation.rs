//! Documents with a few members changed, the same in every run.

use serde_json::Value;

/// Texts that a member gets: some have the form that is demanded, others just miss it.
pub const TEXTS: &[&str] = &[
    "",
    "x",
    "value",
    "1.33.5",
    "v1.34.1",
    "1.33.",
    "curl -v https://mcr.microsoft.com/v2/",
    "true",
    "QUJD",
    "QUJ",
    "QUI=",
    "QUJDQ===",
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCg==",
    "{\"resourceManagerEndpoint\": \"https://management.example/\"}",
    "akscustom",
    "a b",
    "a\nb",
    "a\r",
    "\n",
    "a\"b",
    "a\\b",
    "'",
    "$(touch /tmp/canary)",
    "https://a.example:443/x",
    "mirror.example:5000/path",
    "10.0.0.1",
    "fd00::1",
    "-a",
    "a.",
    "é",
    "a,b=c",
    "a=b",
    "=",
    "Kubernetes.io/a",
    "0123456789012345678901234567890123456789012345678901234567890123",
];

const NUMBERS: &[i64] = &[-1, 0, 1, 2, 900, 1_000_000_000, 2_147_483_647];

/// A stream of changed documents.
pub struct Mutation(u64);

impl Mutation {
    pub fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        // https://en.wikipedia.org/wiki/Xorshift
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits") % end
    }

    /// Returns the document with none to three of its members changed or removed.
    pub fn of(&mut self, document: &Value) -> Value {
        let mut changed = document.clone();
        for _ in 0..self.below(4) {
            let leaves = leaves(&changed);
            let pointer = &leaves[self.below(leaves.len())];
            let Some(place) = changed.pointer_mut(pointer) else { continue };
            self.change(place);
        }
        changed
    }

    fn change(&mut self, place: &mut Value) {
        match place {
            // Absent, in every kind of document.
            _ if self.below(6) == 0 => *place = Value::Null,
            Value::String(text) if self.below(4) == 0 => {
                // Just next to what is there.
                text.push_str(["\n", "\"", " ", "="][self.below(4)]);
            }
            Value::String(text) => TEXTS[self.below(TEXTS.len())].clone_into(text),
            Value::Bool(value) => *value = !*value,
            Value::Number(_) => *place = NUMBERS[self.below(NUMBERS.len())].into(),
            Value::Array(elements) => {
                elements.pop();
            }
            Value::Object(members) => members.clear(),
            Value::Null => {}
        }
    }
}

/// Returns the pointers of everything below a value. Members of objects are at least as likely as what is in them.
fn leaves(value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(value, &mut String::new(), &mut found);
    found
}

fn walk(value: &Value, pointer: &mut String, found: &mut Vec<String>) {
    let length = pointer.len();
    let mut child = |name: &str, child: &Value| {
        pointer.push('/');
        *pointer += &name.replace('~', "~0").replace('/', "~1");
        found.push(pointer.clone());
        walk(child, pointer, found);
        pointer.truncate(length);
    };
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| child(name, value)),
        Value::Array(elements) => elements.iter().enumerate().for_each(|(at, value)| child(&at.to_string(), value)),
        _ => {}
    }
}
