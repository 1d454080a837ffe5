//! The secret that all processes of a search know.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use std::fmt;

/// What texts have in common with the same texts only.
pub fn fingerprint(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
}

/// A secret. It is never shown or sent.
#[derive(Clone)]
pub struct Key(Vec<u8>);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

/// Why a text is no secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyMistake {
    /// It is too short to be one.
    Short,
    /// Somebody who should not can read it.
    Readable,
}

impl fmt::Display for KeyMistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Short => "a key has at least 16 bytes; `head -c 32 /dev/urandom | base64` makes one",
            Self::Readable => "others may read or write this file; `chmod 600` keeps it to you",
        })
    }
}

/// The least that is a secret.
const LEAST: usize = 16;

/// Bytes that show that somebody knows the secret.
pub(crate) type Proof = [u8; 32];

impl Key {
    /// A secret from the text of a file; white space around it does not count.
    pub fn new(text: &[u8]) -> Result<Self, KeyMistake> {
        let trimmed = text.trim_ascii();
        if trimmed.len() < LEAST { Err(KeyMistake::Short) } else { Ok(Self(trimmed.to_vec())) }
    }

    /// What nobody can say about these texts who does not know the secret.
    pub(crate) fn proof(&self, about: &[&[u8]]) -> Proof {
        self.mac(about).finalize().into_bytes().into()
    }

    /// Whether it has been said by somebody who does.
    pub(crate) fn accepts(&self, about: &[&[u8]], proof: &Proof) -> bool {
        self.mac(about).verify_slice(proof).is_ok()
    }

    fn mac(&self, about: &[&[u8]]) -> Hmac<Sha256> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("a key may have any length");
        for text in about {
            mac.update(&(text.len() as u64).to_le_bytes());
            mac.update(text);
        }
        mac
    }
}
