//! Checks that the `Debug` output of the types in this folder contains no secret.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};

use super::*;

/// Canary byte. No uid, generation or name in these tests contains it in any notation.
const CANARY: u8 = 0xA7;

/// A secret of canary bytes in each printable form: decimal, hexadecimal, base64url.
fn forms() -> [String; 3] {
    [CANARY.to_string(), hex::encode([CANARY; 2]), URL_SAFE_NO_PAD.encode([CANARY; 3])]
}

fn assert_hidden(value: &dyn std::fmt::Debug, texts: &[&str]) {
    for shown in [format!("{value:?}"), format!("{value:#?}")] {
        let lower = shown.to_lowercase();
        for form in forms().iter().map(String::as_str).chain(texts.iter().copied()) {
            assert!(!lower.contains(&form.to_lowercase()), "{form} in {shown}");
        }
    }
}

#[test]
fn debug_output_of_secret_types_contains_no_secret() {
    let root = RootKey::from_bytes([CANARY; 32]);
    let sealing = SealingKey::from_bytes([CANARY; 32]);
    let device = DeviceKey::from_bytes([CANARY; 32]).unwrap();
    let secret = JoinSecret::from_bytes([CANARY; 16]);
    let link = JoinLink::new("home.example:5350", 1, "aW52aXRl", secret.clone(), JoinPin::Web).unwrap();
    let handover = RootHandover { root: root.clone(), generation: 1 };
    let words = RecoveryWords::from_root(&root);
    let phrase = words.words();
    let (auth, join_auth) = (root.auth(1), secret.auth(1));
    let ring = KeyRing::create(&mut |bytes| bytes.fill(CANARY));
    let step = RenewalStep { uid: 1, sync_id: "list", generation: 2, previous: &root };

    assert_hidden(&root, &[]);
    assert_hidden(&sealing, &[]);
    assert_hidden(&handover, &[]);
    assert_hidden(&step, &[]);
    assert_hidden(&device, &[]);
    assert_hidden(&secret, &[secret.as_str()]);
    assert_hidden(&link, &[secret.as_str()]);
    assert_hidden(&words, &phrase);
    assert_hidden(&auth, &[auth.as_str()]);
    assert_hidden(&join_auth, &[join_auth.as_str()]);
    // The key id of the rotated ring also consists of canary bytes, but is no secret.
    let ring = ring.rotated(&mut |bytes| bytes.fill(if bytes.len() == 6 { 1 } else { CANARY }));
    let shown = format!("{ring:?}").replace(&URL_SAFE_NO_PAD.encode([CANARY; 6]), "");
    assert_hidden(&format_args!("{shown}"), &[]);
}
