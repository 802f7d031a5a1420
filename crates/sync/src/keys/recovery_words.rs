//! Converts the root key to 24 recovery words and back (BIP-39, English list). [pure]
//!
//! Called by the set-up of a device, which shows the words, and by the command "Join with words".
//!
//! - Recovery words of another download list also pass these checks. They fail later, at the server or when
//!   `crypto/keys` is opened.
//! - `Debug` and `Display` of faults contain no word, because a mistyped word reveals most of the right word.

use std::{borrow::Cow, fmt};

use bip39::{Language, Mnemonic};
use zeroize::Zeroizing;

use super::root_key::RootKey;

/// Number of recovery words.
pub const WORD_COUNT: usize = 24;

/// Number of leading letters that identify a word of the BIP-39 list.
const UNIQUE_LETTERS: usize = 4;

/// Maximum edit distance between a mistyped word and its suggestion.
const MAX_DISTANCE: usize = 2;

/// Recovery words of a root key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveryWords(RootKey);

/// Reason why a text contains no recovery words.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecoveryWordsFault {
    /// The text has this number of words instead of 24.
    #[error("{0} words instead of 24")]
    Count(usize),
    /// A word is not in the BIP-39 list.
    #[error("word {position} is not in the list")]
    Unknown {
        /// Position of the word, from 1.
        position: usize,
        /// The word in lower case. Show it only to the person who typed it.
        word: String,
        /// Closest word of the BIP-39 list, if there is a close one.
        suggestion: Option<String>,
    },
    /// Every word is in the list, but the checksum is wrong: a word is wrong or in the wrong place.
    #[error("the checksum of the words is wrong")]
    Checksum,
}

impl fmt::Debug for RecoveryWordsFault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => write!(formatter, "Count({count})"),
            Self::Unknown { position, suggestion, .. } => {
                write!(formatter, "Unknown {{ position: {position}, has_suggestion: {}, .. }}", suggestion.is_some())
            }
            Self::Checksum => formatter.write_str("Checksum"),
        }
    }
}

impl RecoveryWords {
    /// Returns the words of a root key.
    pub fn from_root(root: &RootKey) -> Self {
        Self(root.clone())
    }

    /// Reads words that a person typed or pasted.
    ///
    /// Ignores case, white space, commas, and numbers before the words. Fails with `Count`, `Unknown` for the first
    /// word that is not in the list, or `Checksum`.
    pub fn read(text: &str) -> Result<Self, RecoveryWordsFault> {
        let mut plain = Cow::Borrowed(text);
        // Convert full-width letters, which some input methods produce, to plain letters.
        Mnemonic::normalize_utf8_cow(&mut plain);
        let lower = Zeroizing::new(plain.to_lowercase());
        if let Cow::Owned(copy) = plain {
            drop(Zeroizing::new(copy));
        }
        let is_gap = |letter: char| letter.is_whitespace() || matches!(letter, ',' | ';');
        let trimmed = lower.split(is_gap).map(|part| part.trim_matches(|letter: char| !letter.is_alphabetic()));
        let words: Vec<&str> = trimmed.filter(|word| !word.is_empty()).collect();
        if words.len() != WORD_COUNT {
            return Err(RecoveryWordsFault::Count(words.len()));
        }
        let unknown = words.iter().enumerate().find(|(_, word)| Language::English.find_word(word).is_none());
        if let Some((at, word)) = unknown {
            let suggestion = closest_word(word).map(str::to_owned);
            return Err(RecoveryWordsFault::Unknown { position: at + 1, word: (*word).to_owned(), suggestion });
        }
        let phrase = Zeroizing::new(words.join(" "));
        let mnemonic = Mnemonic::parse_in_normalized(Language::English, &phrase).map_err(|_| RecoveryWordsFault::Checksum)?;
        // The 24 words contain 32 bytes, and the array also has room for a checksum.
        let bytes = Zeroizing::new(mnemonic.to_entropy_array().0);
        let mut root = Zeroizing::new([0; 32]);
        root.copy_from_slice(&bytes[..32]);
        Ok(Self(RootKey::from_bytes(*root)))
    }

    /// Returns the 24 words in their order.
    pub fn words(&self) -> Vec<&'static str> {
        // The result is never empty, because BIP-39 permits 32 bytes.
        let mnemonic = Mnemonic::from_entropy_in(Language::English, self.0.bytes());
        mnemonic.map(|mnemonic| mnemonic.words().collect()).unwrap_or_default()
    }

    /// Returns the root key that the words encode.
    pub fn into_root(self) -> RootKey {
        self.0
    }
}

/// Returns the word of the list that is closest to a mistyped word.
///
/// If at least four letters were typed, prefers a word that begins with them. Without such a word, returns the word
/// with the smallest edit distance. Among equal distances, the longest common prefix wins. Returns `None` if no word is
/// close.
fn closest_word(typed: &str) -> Option<&'static str> {
    // Words have 3 to 8 letters, so skip long texts.
    let length = typed.chars().count();
    if length > 16 {
        return None;
    }
    let list = Language::English.word_list();
    if length >= UNIQUE_LETTERS
        && let Some(word) = list.iter().find(|word| word.starts_with(typed))
    {
        return Some(word);
    }
    let same_start = |word: &str| word.chars().zip(typed.chars()).take_while(|(a, b)| a == b).count();
    let most = MAX_DISTANCE.min(length / 2);
    let near = list.iter().map(|word| (strsim::osa_distance(word, typed), word)).filter(|(distance, _)| *distance <= most);
    let close = near.min_by_key(|(distance, word)| (*distance, usize::MAX - same_start(word))).map(|(_, word)| *word);
    close.or_else(|| list.iter().copied().find(|word| same_start(word) >= UNIQUE_LETTERS))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of BIP-39 (trezor/python-mnemonic, vectors.json).
    const VECTORS: [(&str, &str); 4] = [
        (
            "0000000000000000000000000000000000000000000000000000000000000000",
            "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon \
             abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon art",
        ),
        (
            "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
            "legal winner thank year wave sausage worth useful legal winner thank year wave sausage worth useful \
             legal winner thank year wave sausage worth title",
        ),
        (
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
            "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote",
        ),
        (
            "68a79eaca2324873eacc50cb9c6eca8cc68ea5d936f98787c60c7ebc74e6ce7c",
            "hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis \
             maple dilemma loan word shrug inflict delay length",
        ),
    ];

    fn root(hex_text: &str) -> RootKey {
        RootKey::from_bytes(hex::decode(hex_text).unwrap().try_into().unwrap())
    }

    fn phrase(words: &RecoveryWords) -> String {
        words.words().join(" ")
    }

    /// Replaces the word at `position` (from 1) of the last test vector. Returns the fault of the changed words.
    fn fault_with(position: usize, word: &str) -> RecoveryWordsFault {
        let mut words: Vec<&str> = VECTORS[3].1.split(' ').collect();
        words[position - 1] = word;
        RecoveryWords::read(&words.join(" ")).unwrap_err()
    }

    #[test]
    fn recovery_words_match_test_vectors_in_both_directions() {
        for (bytes, text) in VECTORS {
            let words = RecoveryWords::from_root(&root(bytes));
            assert_eq!(phrase(&words), text);
            assert_eq!(words.words().len(), WORD_COUNT);
            assert_eq!(RecoveryWords::read(text).unwrap().into_root(), root(bytes));
        }
    }

    #[test]
    fn recovery_words_are_read_in_any_layout() {
        let (bytes, text) = VECTORS[3];
        let numbered = |form: fn(usize, &str) -> String| {
            text.split(' ').enumerate().map(|(at, word)| form(at + 1, word)).collect::<String>()
        };
        let layouts = [
            text.to_uppercase(),
            format!("\u{feff}\n {} \r\n", text.replace(' ', " \t\u{a0}\n")),
            text.replace(' ', ","),
            text.replace(' ', ", "),
            text.replace("hamster", "Ham\u{ff53}ter"),
            format!("\"{text}.\""),
            numbered(|at, word| format!("{at}. {word}\n")),
            numbered(|at, word| format!("{at}.{word} ")),
            numbered(|at, word| format!("{at}) {word}, ")),
            numbered(|at, word| format!("({at}) {word}\t")),
            numbered(|at, word| format!("{at}: {word};")),
            numbered(|at, word| format!("{at:02}\t{word}\r\n")),
        ];
        for layout in layouts {
            let words = RecoveryWords::read(&layout).unwrap_or_else(|fault| panic!("{fault:?}: {layout}"));
            assert_eq!(words.into_root(), root(bytes), "{layout}");
        }
    }

    #[test]
    fn wrong_number_of_recovery_words_is_refused_with_count() {
        let text = VECTORS[3].1;
        for (text, count) in [
            (String::new(), 0),
            ("1. 2. 3.".to_owned(), 0),
            ("xyz".to_owned(), 1),
            (text.rsplit_once(' ').unwrap().0.to_owned(), 23),
            (format!("{text} zoo"), 25),
            ("zoo ".repeat(12), 12),
        ] {
            assert_eq!(RecoveryWords::read(&text), Err(RecoveryWordsFault::Count(count)));
        }
    }

    #[test]
    fn typo_at_each_position_is_reported_with_mistyped_word() {
        for (at, word) in VECTORS[3].1.split(' ').enumerate() {
            let mut letters: Vec<char> = word.chars().collect();
            letters.swap(1, 2);
            let swapped: String = letters.iter().collect();
            for typo in [swapped, format!("{word}x"), word[..word.len() - 1].to_owned() + "q", format!("q{word}")] {
                // Swapping two equal letters does not change the word.
                if typo == word {
                    continue;
                }
                match fault_with(at + 1, &typo) {
                    RecoveryWordsFault::Unknown { position, word: named, suggestion } => {
                        assert_eq!((position, &named), (at + 1, &typo));
                        assert!(suggestion.is_some(), "{typo}");
                    }
                    // Some typos are other words of the list. Only the checksum detects these.
                    fault => {
                        assert_eq!(fault, RecoveryWordsFault::Checksum);
                        assert!(Language::English.find_word(&typo).is_some(), "{typo}");
                    }
                }
            }
        }
    }

    #[test]
    fn mistyped_recovery_word_gets_closest_word_as_suggestion() {
        for (typed, close) in [
            ("hamstr", Some("hamster")),
            ("hmaster", Some("hamster")),
            ("hamsterr", Some("hamster")),
            ("hams", Some("hamster")),
            ("dilema", Some("dilemma")),
            ("tenis", Some("tennis")),
            ("abandonment", Some("abandon")),
            ("zo", Some("zoo")),
            ("priv8te", Some("private")),
            ("qqqqqq", None),
            ("q", None),
            ("übermorgen", None),
        ] {
            assert_eq!(closest_word(typed), close, "{typed}");
        }
        assert_eq!(closest_word(&"hamster".repeat(1000)), None);
    }

    #[test]
    fn swapped_recovery_words_fail_checksum() {
        let swapped = VECTORS[3].1.replace("hamster diagram", "diagram hamster");
        assert_eq!(RecoveryWords::read(&swapped), Err(RecoveryWordsFault::Checksum));
        assert_eq!(fault_with(24, "zoo"), RecoveryWordsFault::Checksum);
    }

    #[test]
    fn recovery_word_faults_never_show_the_entered_word() {
        let fault = fault_with(3, "privtae");
        for shown in [format!("{fault:?}"), format!("{fault:#?}"), fault.to_string()] {
            assert!(shown.contains('3') && !shown.contains("priv"), "{shown}");
        }
    }
}
