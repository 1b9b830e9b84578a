//! The words with which names of secrets end.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::each_known;

/// Words at the end of names of secrets, wherever they stand in the name, and however their parts are separated: `api-key`, `api_key`.
const WORDS: [&str; 119] = [
    "token",
    "secret",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "apikey",
    "accountkey",
    "accesskey",
    "sharedkey",
    "privatekey",
    "secretkey",
    "keydata",
    "clientkey",
    "connectionstring",
    "signature",
    "subscriptionkey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "storagekey",
    "passcode",
    "certificatekey",
    "licensekey",
    "workspacekey",
    "bindpw",
    "rootpw",
    "authtok",
    "authkey",
    "storepass",
    "keypass",
    "requirepass",
    "masterauth",
    "rocommunity",
    "rwcommunity",
    "trapcommunity",
    "presharedkey",
    "activationkey",
    "instrumentationkey",
    "secretkeybase",
    "sshpass",
    "dbpass",
    "dbpwd",
    "adminpass",
    "adminpwd",
    "userpass",
    "userpwd",
    "rootpass",
    "rootpwd",
    "authpass",
    "wpapsk",
    "appkey",
    "functionkey",
    "functionskey",
    "registrationkey",
    "applicationkey",
    "passwordhash",
    "validationkey",
    "decryptionkey",
    "identityheader",
    "wepkey",
    "authident",
    "symmkey",
    "passwordin",
    "keymaterial",
    "unsealkey",
    "recoverykey",
    "systemkey",
    "setupkey",
    "aeskey",
    "hmackey",
    "jwtkey",
    "cipherkey",
    "enckey",
    "principalkey",
    "insertkey",
    "keypw",
    "clientassertion",
    "samlresponse",
    "securestring",
    "saskey",
    "secrettext",
    "secretvalue",
    "secretvaluetext",
    "secretstring",
    "cleartext",
    "passwordd",
    "passwordo",
    "passwordsha256hex",
    "roottokenid",
    "agentkey",
    "fernetkey",
    "cryptkey",
    "upgradekey",
    "artapi",
    "authsalt",
    "hashsalt",
    "passwordsalt",
    "noncesalt",
    "noncekey",
    "loggedinsalt",
    "loggedinkey",
    "routingkey",
    "servicekey",
    "integrationkey",
    // Settings of Hadoop and Spark.
    ".account.key",
    ".secret.key",
    "sonar.login",
    "honeycombteam",
    "hexkey",
    "credentialencrypted",
    // Of extensions of a VM.
    "protectedsetting",
    // Of Vault, whose names have a number at the end: `unseal_keys_b64`.
    "unsealkeysb",
    "unsealkeyshex",
    "recoverykeysb",
    "recoverykeyshex",
    "keysbase",
    // Of templates of virtual machines.
    "passwordorkey",
    // Of OAuth: whoever has it gets the tokens.
    "devicecode",
];

/// The same, in one word. In databases, their parts are separated.
const UNSEPARATED: [&str; 2] = ["primarykey", "secondarykey"];

/// Words at the end of names of secrets that are UUIDs. In other programs, they are names of secrets.
const WITH_UUID: [&str; 3] = ["secretid", "secret_id", "secret id"];

/// Words that are secret only as the whole name, or as its last part after `_`, `-`, `.` or a change of case.
const WHOLE_WORDS: [&str; 13] = [
    "pw",
    "pwd",
    "pass",
    "psk",
    "sig",
    "auth",
    "authorization",
    "cookie",
    "bearer",
    "basic",
    "community",
    "pat",
    "cred",
];

/// Words that are secret only in files of secrets.
const IN_SECRET_FILES: [&str; 2] = ["key", "kerb"];

/// A word with which a name ends that announces a secret.
struct Word {
    /// In lower case.
    text: String,
    kind: WordKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WordKind {
    End,
    Unseparated,
    Whole,
    InSecretFile,
    Uuid,
    /// The whole of a name of our tables.
    Known,
}

/// The words, and the secret names of our own tables that have none of them at their end, by the last letter, longest first. This
/// is cheaper to make than an automaton, and only the ends of names are compared.
static BY_LAST_LETTER: LazyLock<[Vec<Word>; 26]> = LazyLock::new(|| {
    let mut known = BTreeSet::new();
    each_known(|name, is_secret| {
        if is_secret {
            known.insert(name.to_ascii_lowercase());
        }
    });
    let has_word = |name: &str| WORDS.iter().any(|word| begin_of_word(name.as_bytes(), name.len(), word).is_some());
    known.retain(|name| !has_word(name) && !WHOLE_WORDS.contains(&&**name));
    let words = WORDS.map(|word| (word.to_owned(), WordKind::End)).into_iter();
    let unseparated = UNSEPARATED.map(|word| (word.to_owned(), WordKind::Unseparated));
    let whole = WHOLE_WORDS.map(|word| (word.to_owned(), WordKind::Whole));
    let of_files = IN_SECRET_FILES.map(|word| (word.to_owned(), WordKind::InSecretFile));
    let uuids = WITH_UUID.map(|word| (word.to_owned(), WordKind::Uuid));
    let known = known.into_iter().map(|name| (name, WordKind::Known));
    let mut by_letter: [Vec<Word>; 26] = Default::default();
    for (text, kind) in words.chain(unseparated).chain(whole).chain(of_files).chain(uuids).chain(known) {
        let letter = text.bytes().last().and_then(letter).expect("a word ends with a letter");
        by_letter[letter].push(Word { text, kind });
    }
    for words in &mut by_letter {
        words.sort_by_key(|word| Reverse(word.text.len()));
    }
    by_letter
});

/// Returns the place of a letter in the alphabet.
fn letter(byte: u8) -> Option<usize> {
    byte.is_ascii_alphabetic().then(|| usize::from(byte.to_ascii_lowercase() - b'a'))
}

/// Returns the longest word that ends at a place, and where it begins.
pub(super) fn word_before(text: &[u8], end: usize) -> Option<(usize, WordKind)> {
    let words = &BY_LAST_LETTER[letter(*text[..end].last()?)?];
    // Most words end at once.
    let previous = end.checked_sub(2).map(|at| text[at].to_ascii_lowercase()).filter(|byte| !b"_-".contains(byte));
    words.iter().find_map(|word| {
        let letters = word.text.as_bytes();
        if previous.is_some_and(|byte| letters[letters.len() - 2] != byte) {
            return None;
        }
        if word.kind == WordKind::End {
            return begin_of_word(text, end, &word.text).map(|start| (start, word.kind));
        }
        let start = end.checked_sub(word.text.len())?;
        text[start..end].eq_ignore_ascii_case(word.text.as_bytes()).then_some((start, word.kind))
    })
}

/// Returns where a word begins that ends at a place. A separator may be between two letters, also twice: `Jwt__Key`.
pub(super) fn begin_of_word(text: &[u8], end: usize, word: &str) -> Option<usize> {
    let mut at = end;
    for letter in word.bytes().rev() {
        at = at.checked_sub(1)?;
        for _ in 0..2 {
            if at > 0 && at + 1 < end && b"_-".contains(&text[at]) {
                at -= 1;
            }
        }
        if !text[at].eq_ignore_ascii_case(&letter) {
            return None;
        }
    }
    Some(at)
}
