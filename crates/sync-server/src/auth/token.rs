//! Creates and reads tokens for Hawk in the format of tokenlib. [pure]
//!
//! The id is a signed JSON object, and the key is derived from it.

use base64::{
    Engine as _,
    engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig, general_purpose::URL_SAFE},
};
use hkdf::Hkdf;
use serde_json::{Value, json};
use sha2::Sha256;

use super::{Unauthorized, hmac, is_same};

/// Lifetime of a token, in seconds.
pub const LIFETIME: i64 = 3600;

/// Length of a signature in bytes.
const SIGNATURE: usize = 32;

/// Maximum length of an accepted token, in bytes.
const LONGEST: usize = 4096;

/// Base64 decoder that accepts text with or without padding.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::URL_SAFE,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Secret shared by all nodes.
#[derive(Clone)]
pub struct ServerSecret {
    master: Vec<u8>,
    signing: [u8; 32],
}

impl std::fmt::Debug for ServerSecret {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Secret")
    }
}

/// Content of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BearerToken {
    /// User.
    pub uid: i64,
    /// Device that requested the token.
    ///
    /// `None` if another program that knows the secret created the token.
    pub device: Option<String>,
    /// Whether the token has expired.
    pub is_expired: bool,
    /// Key of the client's Hawk signatures.
    pub key: String,
}

impl ServerSecret {
    /// Derives the signing key from the text of the secret file.
    pub fn new(text: &str) -> Self {
        let master = text.as_bytes().to_vec();
        let signing = derive(&master, None, b"services.mozilla.com/tokenlib/v1/signing");
        Self { master, signing }
    }

    /// Creates a token for a device; returns its id and its key. `now` is in milliseconds.
    pub fn make(&self, uid: i64, device: &str, node: &str, salt: &str, now: i64) -> (String, String) {
        let expires = now as f64 / 1000.0 + LIFETIME as f64;
        let said = json!({ "uid": uid, "device": device, "node": node, "salt": salt, "expires": expires }).to_string();
        let mut bytes = said.into_bytes();
        let signature = hmac(&self.signing, &bytes);
        bytes.extend_from_slice(&signature);
        let id = URL_SAFE.encode(bytes);
        let key = self.key(salt, &id);
        (id, key)
    }

    /// Reads the id of a token. Fails with `Token` if the id was not signed with this secret.
    pub fn read(&self, id: &str, now: i64) -> Result<BearerToken, Unauthorized> {
        let bytes = LENIENT.decode(id).ok().filter(|_| id.len() <= LONGEST).ok_or(Unauthorized::Token)?;
        let at = bytes.len().checked_sub(SIGNATURE).ok_or(Unauthorized::Token)?;
        let (said, signature) = bytes.split_at(at);
        if !is_same(&hex::encode(hmac(&self.signing, said)), &hex::encode(signature)) {
            return Err(Unauthorized::Token);
        }
        let said: Value = serde_json::from_slice(said).map_err(|_| Unauthorized::Token)?;
        let uid = match &said["uid"] {
            Value::Number(number) => number.as_i64(),
            Value::String(text) => super::read_uid(text),
            _ => None,
        };
        let uid = uid.filter(|uid| (0..=9_999_999_999).contains(uid)).ok_or(Unauthorized::Token)?;
        let (expires, salt) = (said["expires"].as_f64(), said["salt"].as_str());
        let (Some(expires), Some(salt)) = (expires, salt) else { return Err(Unauthorized::Token) };
        let is_expired = expires * 1000.0 <= now as f64;
        let device = said["device"].as_str().map(str::to_owned);
        Ok(BearerToken { uid, device, is_expired, key: self.key(salt, id) })
    }

    fn key(&self, salt: &str, id: &str) -> String {
        let info = [b"services.mozilla.com/tokenlib/v1/derive/".as_slice(), id.as_bytes()].concat();
        URL_SAFE.encode(derive(&self.master, Some(salt.as_bytes()), &info))
    }
}

fn derive(secret: &[u8], salt: Option<&[u8]>, info: &[u8]) -> [u8; 32] {
    let mut key = [0; 32];
    // Cannot fail: 32 bytes are below the maximum output of HKDF.
    let _ = Hkdf::<Sha256>::new(salt, secret).expand(info, &mut key);
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_keeps_content_and_expires_after_an_hour() {
        let secret = ServerSecret::new("secret");
        let (id, key) = secret.make(12, "laptop", "http://localhost", "aabbcc", 1_000_000);
        let token = secret.read(&id, 1_000_000).unwrap();
        assert_eq!(token, BearerToken { uid: 12, device: Some("laptop".into()), is_expired: false, key });
        assert!(secret.read(&id, 1_000_000 + LIFETIME * 1000).unwrap().is_expired);
        assert!(secret.read(id.trim_end_matches('='), 1_000_000).is_ok());
    }

    #[test]
    fn token_that_is_truncated_or_changed_or_foreign_is_rejected() {
        let secret = ServerSecret::new("secret");
        let (id, _) = secret.make(12, "laptop", "http://localhost", "aabbcc", 1_000_000);
        assert_eq!(ServerSecret::new("other").read(&id, 0), Err(Unauthorized::Token));
        let letters = id.trim_end_matches('=').len();
        for at in 0..letters {
            assert!(secret.read(&id[..at], 0).is_err());
            let mut changed = id.clone().into_bytes();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            // The last letter may contain unused bits, so a change of this letter may change no byte.
            assert!(secret.read(&changed, 0).is_err() || at + 1 == letters, "{at}");
        }
    }
}
