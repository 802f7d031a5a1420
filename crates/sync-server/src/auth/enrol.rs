//! Reads and writes invite links, and derives a proof from the secret of a link. [pure]

use hkdf::Hkdf;
use sha2::Sha256;

/// Lifetime of an invite, in milliseconds.
pub const LIFETIME: i64 = 10 * 60 * 1000;

/// Value in place of the pin, in links to a server with plain HTTP.
pub const NO_PIN: &str = "-";

/// Value in place of the pin, if clients verify the certificate as usual, by name and issuer.
pub const WEB_PIN: &str = "tls";

/// Invite link that users pass to each other: `ashore://join/HOST:PORT/UID/ID#secret.pin`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnrolLink {
    /// Host and port.
    pub address: String,
    /// User; 0 for an invite that creates a user.
    pub uid: i64,
    /// Id of the invite.
    pub id: String,
    /// Secret of 128 bits. The server receives only values that are derived from the secret.
    pub secret: String,
    /// SHA-256 of the certificate, [`WEB_PIN`] or [`NO_PIN`].
    pub pin: String,
}

impl EnrolLink {
    /// Returns the link as text.
    pub fn write(&self) -> String {
        format!("ashore://join/{}/{}/{}#{}.{}", self.address, self.uid, self.id, self.secret, self.pin)
    }

    /// Parses a link; returns `None` if the text is not a link.
    pub fn read(text: &str) -> Option<Self> {
        let (place, fragment) = text.strip_prefix("ashore://join/")?.split_once('#')?;
        let mut parts = place.split('/');
        let (address, uid, id) = (parts.next()?, super::read_uid(parts.next()?)?, parts.next()?);
        let (secret, pin) = fragment.split_once('.')?;
        let is_whole = parts.next().is_none() && ![address, id, secret, pin].contains(&"");
        let own = str::to_owned;
        is_whole.then(|| Self { address: own(address), uid, id: own(id), secret: own(secret), pin: own(pin) })
    }
}

/// Derives a proof from the secret of an invite. The server verifies this proof.
///
/// The client derives other keys from the same secret; the server cannot compute these keys from the proof.
pub fn auth_of(secret: &str, uid: i64) -> String {
    let mut auth = [0; 32];
    // Cannot fail: 32 bytes are below the maximum output of HKDF.
    let _ = Hkdf::<Sha256>::new(Some(uid.to_string().as_bytes()), secret.as_bytes()).expand(b"ashore-sync/1/auth", &mut auth);
    hex::encode(auth)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invite_link_survives_round_trip_but_partial_link_is_rejected() {
        let own = str::to_owned;
        let link = EnrolLink { address: own("home.example:8484"), uid: 0, id: own("abc"), secret: own("s3"), pin: own("p1") };
        assert_eq!(EnrolLink::read(&link.write()), Some(link.clone()));
        assert_ne!(auth_of("s3", 0), auth_of("s3", 1));
        for wrong in
            ["ashore://join/a/0/b", "ashore://join/a/0/#s.p", "ashore://join/a/x/b#s.p", "ashore://join/a/0/b/c#s.p", "x"]
        {
            assert_eq!(EnrolLink::read(wrong), None, "{wrong}");
        }
    }
}
