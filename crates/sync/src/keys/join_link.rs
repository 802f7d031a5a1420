//! Reads and writes join links, and encrypts the root key for the device that joins. [pure]
//!
//! Called by the commands "Join" and "Invite a device", and by the set-up of the first device.
//!
//! - Format: `ashore://join/HOST:PORT/UID/ID#SECRET.PIN`, the same as in `crates/sync-server/src/auth/enrol.rs`.
//! - A link from another machine may also describe its list: `#SECRET.PIN.DOWNLOADS.PAST.MACHINE`. MACHINE is the name
//!   of that machine in base64url. The user sees the description before the new machine joins.
//! - The server never receives the secret, only the hash of a proof derived from it.
//! - A link with uid 0 creates a user. The server holds no root key for such a link.

use std::{fmt, net::Ipv6Addr};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use zeroize::Zeroizing;

use super::{
    root_key::RootKey,
    sealing::{NONCE_BYTES, PROTOCOL, SealFault, length_prefixed, open, seal},
    secrets::{AuthProof, SealingKey, derive_auth, derive_wrap},
};

/// Text with which each join link begins.
const PREFIX: &str = "ashore://join/";

/// Values of the pin without a hash: one for servers whose certificate is checked in the ordinary way, and one for servers
/// without a certificate.
const WEB_PIN: &str = "tls";
const NO_PIN: &str = "-";

/// Key id of the root key in an invite. This text is also the purpose in the associated data of the encryption.
const INVITE: &str = "invite";

/// Minimum and maximum length of a secret in characters. The minimum corresponds to 128 bits in base64url.
const SHORTEST_SECRET: usize = 22;
const LONGEST_SECRET: usize = 128;

/// Maximum length of a host name and maximum length of an invite id, in characters.
const LONGEST_HOST: usize = 253;
const LONGEST_ID: usize = 64;
/// Maximum length of the name of a machine, in characters.
const LONGEST_NAME: usize = 64;

/// Join link. Contains server, user, invite, secret and certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinLink {
    address: String,
    uid: i64,
    id: String,
    secret: JoinSecret,
    pin: JoinPin,
    list: Option<ListSummary>,
}

/// Description of a list, as a join link contains it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListSummary {
    /// Number of downloads in the list.
    pub downloads: u64,
    /// Number of past downloads.
    pub past: u64,
    /// Name of the machine that created the link.
    pub machine: String,
}

/// Rule for authenticating the server of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinPin {
    /// HTTPS. Only the certificate with this SHA-256 is accepted, even if it names another host.
    Certificate([u8; 32]),
    /// HTTPS with an ordinary check of the certificate's name and issuer.
    Web,
    /// Plain HTTP.
    Plain,
}

/// Reason why a text is not a join link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JoinLinkFault {
    /// The text does not begin with `ashore://join/`, or parts are missing.
    #[error("the text is not a join link, or it is cut off")]
    NotALink,
    /// The address is not `HOST:PORT`.
    #[error("the address in the link is not valid")]
    Address,
    /// The uid does not consist of one to ten digits.
    #[error("the user in the link is not valid")]
    User,
    /// The id of the invite is not valid.
    #[error("the invite in the link is not valid")]
    Invite,
    /// The secret is too short or not valid.
    #[error("the secret in the link is not valid, or it is cut off")]
    Secret,
    /// The pin is none of these: a SHA-256 digest in base64url, `tls`, `-`.
    #[error("the fingerprint in the link is not valid, or it is cut off")]
    Pin,
    /// The description of the list is not valid.
    #[error("the description of the list in the link is not valid, or it is cut off")]
    List,
}

/// Secret of an invite, as the join link contains it.
#[derive(Clone)]
pub struct JoinSecret(Zeroizing<String>);

/// Root key and its generation, as the inviting device hands them over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RootHandover {
    /// Root key.
    pub root: RootKey,
    /// Generation of the root key, from 1.
    pub generation: u64,
}

impl JoinLink {
    /// Returns the link for an invite that the server created. Fails with any [`JoinLinkFault`] other than `NotALink`.
    pub fn new(address: &str, uid: i64, id: &str, secret: JoinSecret, pin: JoinPin) -> Result<Self, JoinLinkFault> {
        if !is_address(address) {
            return Err(JoinLinkFault::Address);
        }
        if !(0..=9_999_999_999).contains(&uid) {
            return Err(JoinLinkFault::User);
        }
        if !is_base64url(id) || id.len() > LONGEST_ID {
            return Err(JoinLinkFault::Invite);
        }
        if !is_base64url(secret.as_str()) || !(SHORTEST_SECRET..=LONGEST_SECRET).contains(&secret.as_str().len()) {
            return Err(JoinLinkFault::Secret);
        }
        Ok(Self { address: address.to_owned(), uid, id: id.to_owned(), secret, pin, list: None })
    }

    /// Reads a link. Ignores white space around it. Fails with any [`JoinLinkFault`].
    pub fn read(text: &str) -> Result<Self, JoinLinkFault> {
        let (place, fragment) =
            text.trim().strip_prefix(PREFIX).and_then(|rest| rest.split_once('#')).ok_or(JoinLinkFault::NotALink)?;
        let (secret, pin) = fragment.split_once('.').ok_or(JoinLinkFault::NotALink)?;
        let [address, uid, id] = place.split('/').collect::<Vec<_>>()[..] else { return Err(JoinLinkFault::NotALink) };
        let is_number = (1..=10).contains(&uid.len()) && uid.bytes().all(|digit| digit.is_ascii_digit());
        let uid = uid.parse().ok().filter(|_| is_number).ok_or(JoinLinkFault::User)?;
        let secret = JoinSecret(Zeroizing::new(secret.to_owned()));
        // If several parts are wrong, report the one that comes first in the text.
        let link = Self::new(address, uid, id, secret, JoinPin::Plain)?;
        let (pin, list) = pin.split_once('.').map_or((pin, None), |(pin, list)| (pin, Some(list)));
        let pin = JoinPin::read(pin).ok_or(JoinLinkFault::Pin)?;
        let list = list.map(|list| ListSummary::read(list).ok_or(JoinLinkFault::List)).transpose()?;
        Ok(Self { pin, list, ..link })
    }

    /// Returns the link with a description of the list.
    pub fn describing(self, list: ListSummary) -> Self {
        Self { list: Some(list), ..self }
    }

    /// Returns the link as text.
    pub fn write(&self) -> Zeroizing<String> {
        let Self { address, uid, id, secret, pin, list } = self;
        let list = list.as_ref().map(|list| format!(".{}", list.write())).unwrap_or_default();
        Zeroizing::new(format!("{PREFIX}{address}/{uid}/{id}#{}.{}{list}", secret.as_str(), pin.write()))
    }

    /// Returns host and port, with an IPv6 address in brackets.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Returns the root of the server's URLs, without a slash at its end.
    pub fn base_url(&self) -> String {
        format!("{}://{}", if self.pin == JoinPin::Plain { "http" } else { "https" }, self.address)
    }

    /// Returns the user id, which is 0 for a link that creates a user.
    pub fn uid(&self) -> i64 {
        self.uid
    }

    /// Whether the link creates a user. For such a link, the server holds no root key.
    pub fn is_set_up(&self) -> bool {
        self.uid == 0
    }

    /// Returns the id of the invite.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the secret.
    pub fn secret(&self) -> &JoinSecret {
        &self.secret
    }

    /// Returns the rule for the server's certificate.
    pub fn pin(&self) -> JoinPin {
        self.pin
    }

    /// Returns the description of the list, if the link has one.
    pub fn list(&self) -> Option<&ListSummary> {
        self.list.as_ref()
    }

    /// Returns the proof that a device sends to enrol.
    pub fn auth(&self) -> AuthProof {
        self.secret.auth(self.uid)
    }

    /// Decrypts the root key that the server holds for the invite. Fails with any [`SealFault`].
    pub fn unwrap_root(&self, wrapped: &str) -> Result<RootHandover, SealFault> {
        self.secret.unwrap_root(self.uid, wrapped)
    }
}

impl ListSummary {
    /// Returns the description of a list for a link. Truncates a long name.
    pub fn new(downloads: u64, past: u64, machine: &str) -> Self {
        Self { downloads, past, machine: machine.chars().filter(|letter| !letter.is_control()).take(LONGEST_NAME).collect() }
    }

    fn read(text: &str) -> Option<Self> {
        let [downloads, past, machine] = text.split('.').collect::<Vec<_>>()[..] else { return None };
        let machine = String::from_utf8(URL_SAFE_NO_PAD.decode(machine).ok()?).ok()?;
        let list = Self::new(downloads.parse().ok()?, past.parse().ok()?, &machine);
        (list.machine == machine && list.write() == text).then_some(list)
    }

    fn write(&self) -> String {
        format!("{}.{}.{}", self.downloads, self.past, URL_SAFE_NO_PAD.encode(&self.machine))
    }
}

impl JoinPin {
    /// Reads a pin from the text of a link. Returns `None` if the text is not a pin.
    pub fn read(text: &str) -> Option<Self> {
        match text {
            WEB_PIN => Some(Self::Web),
            NO_PIN => Some(Self::Plain),
            _ => Some(Self::Certificate(URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?)),
        }
    }

    /// Returns the pin as text for a link.
    pub fn write(&self) -> String {
        match self {
            Self::Certificate(digest) => URL_SAFE_NO_PAD.encode(digest),
            Self::Web => WEB_PIN.to_owned(),
            Self::Plain => NO_PIN.to_owned(),
        }
    }
}

impl JoinSecret {
    /// Returns a secret for a new invite, made from 16 random bytes.
    pub fn from_bytes(random: [u8; 16]) -> Self {
        Self(Zeroizing::new(URL_SAFE_NO_PAD.encode(Zeroizing::new(random))))
    }

    /// Returns the text of the secret.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the proof that the server verifies. The server creates the invite from the hash of the proof.
    pub fn auth(&self, uid: i64) -> AuthProof {
        derive_auth(self.0.as_bytes(), uid)
    }

    /// Encrypts a root key for the device that joins. Returns the field `wrapped` of the invite.
    ///
    /// The invite has no id yet, so the associated data contains the hash of the proof instead.
    pub fn wrap_root(&self, uid: i64, handover: &RootHandover, nonce: [u8; NONCE_BYTES]) -> Result<String, SealFault> {
        let root = Zeroizing::new(URL_SAFE_NO_PAD.encode(handover.root.bytes()));
        let content = Zeroizing::new(format!(r#"{{"gen":{},"root":"{}"}}"#, handover.generation, *root));
        seal(&self.wrap(uid), INVITE, &self.associated_data(uid), content.as_bytes(), nonce)
    }

    /// Decrypts a root key. Fails with any [`SealFault`]. The fault is `NotAnEnvelope` if the content is not valid.
    pub fn unwrap_root(&self, uid: i64, wrapped: &str) -> Result<RootHandover, SealFault> {
        let wrap = self.wrap(uid);
        let key = |kid: &str| (kid == INVITE).then_some(&wrap);
        let content = open(key, |_| self.associated_data(uid), wrapped)?;
        RootHandover::read(&content).ok_or(SealFault::NotAnEnvelope)
    }

    fn wrap(&self, uid: i64) -> SealingKey {
        derive_wrap(self.0.as_bytes(), uid)
    }

    fn associated_data(&self, uid: i64) -> Vec<u8> {
        length_prefixed(&[PROTOCOL, INVITE, &uid.to_string(), &self.auth(uid).hash()])
    }
}

impl fmt::Debug for JoinSecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JoinSecret(..)")
    }
}

impl PartialEq for JoinSecret {
    fn eq(&self, other: &Self) -> bool {
        self.0.as_bytes().ct_eq(other.0.as_bytes()).into()
    }
}

impl Eq for JoinSecret {}

impl RootHandover {
    fn read(content: &[u8]) -> Option<Self> {
        /// Content of `wrapped`. Fields of a later version are ignored.
        #[derive(Deserialize)]
        struct Content<'a> {
            #[serde(rename = "gen")]
            generation: u64,
            root: &'a str,
        }
        let content: Content<'_> = serde_json::from_slice(content).ok()?;
        let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(content.root).ok()?);
        let root = RootKey::from_bytes(bytes.as_slice().try_into().ok()?);
        (content.generation > 0).then_some(Self { root, generation: content.generation })
    }
}

/// Whether a text is `HOST:PORT` with a name, an IPv4 address, or an IPv6 address in brackets.
fn is_address(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let is_port = port.bytes().all(|digit| digit.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port > 0);
    let is_host = match host.strip_prefix('[') {
        Some(rest) => rest.strip_suffix(']').is_some_and(|literal| literal.parse::<Ipv6Addr>().is_ok()),
        None => {
            let is_meant = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'.' | b'_' | b'-');
            (1..=LONGEST_HOST).contains(&host.len()) && host.bytes().all(is_meant)
        }
    };
    is_host && is_port
}

fn is_base64url(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use sha2::{Digest as _, Sha256};

    use super::*;

    const UID: i64 = 1_234_567_890;
    const SECRET: &str = "AAECAwQFBgcICQoLDA0ODw";
    const PIN: &str = "p6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6c";
    const ID: &str = "aW52aXRlaW52";

    /// Join link in the form that `EnrolLink::write` of the server produces.
    const LINK: &str =
        "ashore://join/home.example:8484/0/aW52aXRlaW52#AAECAwQFBgcICQoLDA0ODw.p6enp6enp6enp6enp6enp6enp6enp6enp6enp6enp6c";

    fn secret() -> JoinSecret {
        JoinSecret::from_bytes(std::array::from_fn(|at| at as u8))
    }

    fn handover() -> RootHandover {
        RootHandover { root: RootKey::from_bytes([0xA7; 32]), generation: 3 }
    }

    #[test]
    fn join_link_of_server_survives_round_trip() {
        let link = JoinLink::read(LINK).unwrap();
        assert_eq!(*link.write(), LINK);
        assert_eq!((link.address(), link.uid(), link.id()), ("home.example:8484", 0, ID));
        assert_eq!((link.secret(), link.pin()), (&secret(), JoinPin::Certificate([0xA7; 32])));
        assert!(link.is_set_up());
        assert_eq!(JoinLink::read(&format!("\n {LINK}\r\n")).unwrap(), link);
    }

    #[test]
    fn link_that_describes_its_list_survives_round_trip() {
        let plain = JoinLink::new("a:1", UID, ID, secret(), JoinPin::Plain).unwrap();
        for (downloads, past, machine) in [(31, 412, "Laptop"), (0, 0, ""), (u64::MAX, 1, "Büro-Rechner \u{1F4BB}")] {
            let list = ListSummary::new(downloads, past, machine);
            let link = plain.clone().describing(list.clone());
            assert_eq!(JoinLink::read(&link.write()).unwrap(), link);
            assert_eq!(link.list(), Some(&list));
        }
        let text = plain.clone().describing(ListSummary::new(31, 412, "Laptop")).write().to_string();
        assert!(text.ends_with(".-.31.412.TGFwdG9w"), "{text}");
        assert_eq!(ListSummary::new(1, 1, &format!("a\n{}", "b".repeat(100))).machine, format!("a{}", "b".repeat(63)));
    }

    #[test]
    fn link_with_wrong_description_of_its_list_is_refused() {
        let plain = JoinLink::new("a:1", UID, ID, secret(), JoinPin::Plain).unwrap().write().to_string();
        for list in [
            "",
            "1",
            "1.2",
            "1.2.",
            "x.2.TGFwdG9w",
            "1.-2.TGFwdG9w",
            "01.2.TGFwdG9w",
            "1.2.TGFwdG9w.3",
            "1.2.%",
            "1.2.Cg",
            "1.2._w",
        ] {
            let expected = if list == "1.2." { None } else { Some(JoinLinkFault::List) };
            assert_eq!(JoinLink::read(&format!("{plain}.{list}")).err(), expected, "{list}");
        }
    }

    #[test]
    fn link_with_any_address_survives_round_trip() {
        for address in ["a:1", "laptop.local:5350", "192.0.2.1:65535", "[::1]:80", "[2001:db8::7]:5350", "my_nas-2:443"] {
            for (pin, scheme) in [(JoinPin::Web, "https"), (JoinPin::Plain, "http"), (JoinPin::Certificate([1; 32]), "https")] {
                let link = JoinLink::new(address, UID, ID, secret(), pin).unwrap();
                assert_eq!(JoinLink::read(&link.write()).unwrap(), link);
                assert_eq!(link.base_url(), format!("{scheme}://{address}"));
                assert!(!link.is_set_up());
            }
        }
    }

    #[test]
    fn invalid_join_link_is_refused_with_its_fault() {
        let with = |address: &str, uid: &str, id: &str, secret: &str, pin: &str| {
            JoinLink::read(&format!("ashore://join/{address}/{uid}/{id}#{secret}.{pin}")).err()
        };
        for text in ["", "x", "https://join/a:1/0/b#s.p", "ashore://join/a:1/0/b", "ashore://join/a:1/0#s.p", &LINK[..60]] {
            assert_eq!(JoinLink::read(text).err(), Some(JoinLinkFault::NotALink), "{text}");
        }
        assert_eq!(with("a:1", "0", "b/c", SECRET, "-"), Some(JoinLinkFault::NotALink));
        for address in
            ["", "a", ":1", "a:", "a:0", "a:65536", "a:+1", "::1:80", "[::1]", "[::1", "[x]:1", "u@a:1", "a b:1", "ä:1", "a?:1"]
        {
            assert_eq!(with(address, "0", ID, SECRET, "-"), Some(JoinLinkFault::Address), "{address}");
        }
        for uid in ["", "x", "-1", "+1", "12345678901", "1 "] {
            assert_eq!(with("a:1", uid, ID, SECRET, "-"), Some(JoinLinkFault::User), "{uid}");
        }
        for id in ["", "a b", "ä", &"a".repeat(65)] {
            assert_eq!(with("a:1", "0", id, SECRET, "-"), Some(JoinLinkFault::Invite), "{id}");
        }
        for secret in ["", "s3", &SECRET[1..], &SECRET.replace('A', "%"), &SECRET.repeat(6)] {
            assert_eq!(with("a:1", "0", ID, secret, "-"), Some(JoinLinkFault::Secret), "{secret}");
        }
        for pin in ["", "TLS", "--", &PIN[1..], &format!("{PIN}="), &format!("{PIN}A")] {
            assert_eq!(with("a:1", "0", ID, SECRET, pin), Some(JoinLinkFault::Pin), "{pin}");
        }
        assert_eq!(JoinLink::new("a:1", -1, ID, secret(), JoinPin::Web).err(), Some(JoinLinkFault::User));
        assert_eq!(JoinLink::new("a:1", 10_000_000_000, ID, secret(), JoinPin::Web).err(), Some(JoinLinkFault::User));
    }

    #[test]
    fn every_truncated_link_is_refused() {
        for length in 0..LINK.len() {
            assert!(JoinLink::read(&LINK[..length]).is_err(), "{length}");
        }
    }

    #[test]
    fn derived_proofs_match_independent_test_vectors() {
        // Expected values were computed in Python with `hmac` and `hashlib`, as in RFC 5869.
        assert_eq!(secret().as_str(), SECRET);
        assert_eq!(
            JoinLink::read(LINK).unwrap().auth().as_str(),
            "08fa8aa36cd64d3eed16594094a2583dd2a29d2008309cf5e777fde6347baa63"
        );
        assert_eq!(secret().auth(UID).as_str(), "3ddc82efa63ead916663a3a47012d0bf9004d1c563b38ce51dc34b240dab89a9");
        assert_eq!(hex::encode(secret().wrap(UID).bytes()), "f802623a6330e1383979802417ecd5351f877934b55213f43bfcfea99ff1ce69");
        // Expected value: result of `auth_of("s3", 0)` in the server.
        assert_eq!(derive_auth(b"s3", 0).as_str(), "3bb6e8da36101afe879218027afd914d073c9d673db71c7124b9227c9ba48337");
    }

    #[test]
    fn wrapped_root_key_opens_only_with_its_invite() {
        let wrapped = secret().wrap_root(UID, &handover(), [9; NONCE_BYTES]).unwrap();
        // Expected value: SHA-256 of a text that was computed in Python, with a hand-written HChaCha20 and the package
        // `cryptography`.
        assert_eq!(hex::encode(Sha256::digest(&wrapped)), "a560cb9aac2e0e6c4cf21eb8492e8cd88b54478d1fc59109a09fa6459dd1411a");
        // The server accepts encrypted root keys of at most 4,096 bytes.
        assert!(wrapped.len() <= 4096);
        assert_eq!(secret().unwrap_root(UID, &wrapped).unwrap(), handover());
        let link = JoinLink::new("a:1", UID, ID, secret(), JoinPin::Web).unwrap();
        assert_eq!(link.unwrap_root(&wrapped).unwrap(), handover());
        assert_eq!(secret().unwrap_root(UID + 1, &wrapped), Err(SealFault::Tampered));
        assert_eq!(JoinSecret::from_bytes([1; 16]).unwrap_root(UID, &wrapped), Err(SealFault::Tampered));
        let renamed = wrapped.replace(r#""invite""#, r#""k1""#);
        assert_eq!(secret().unwrap_root(UID, &renamed), Err(SealFault::UnknownKey("k1".to_owned())));
        assert_eq!(secret().unwrap_root(UID, "x"), Err(SealFault::NotAnEnvelope));
    }

    #[test]
    fn encrypted_content_is_refused_if_root_key_or_generation_is_missing_or_invalid() {
        let root = URL_SAFE_NO_PAD.encode([0xA7; 32]);
        for (content, is_valid) in [
            (format!(r#"{{"gen":3,"root":"{root}","later":1}}"#), true),
            (format!(r#"{{"gen":0,"root":"{root}"}}"#), false),
            (format!(r#"{{"root":"{root}"}}"#), false),
            (r#"{"gen":3,"root":"AA"}"#.to_owned(), false),
            (String::new(), false),
        ] {
            let data = secret().associated_data(UID);
            let wrapped = seal(&secret().wrap(UID), INVITE, &data, content.as_bytes(), [9; NONCE_BYTES]).unwrap();
            let opened = secret().unwrap_root(UID, &wrapped);
            assert_eq!(opened, if is_valid { Ok(handover()) } else { Err(SealFault::NotAnEnvelope) }, "{content}");
        }
    }

    proptest! {
        #[test]
        fn reading_any_text_as_join_link_never_panics(text: String, rest: String) {
            prop_assert!(JoinLink::read(&text).is_err());
            if let Ok(link) = JoinLink::read(&format!("{PREFIX}{rest}")) {
                prop_assert_eq!(JoinLink::read(&link.write()), Ok(link));
            }
        }
    }
}
