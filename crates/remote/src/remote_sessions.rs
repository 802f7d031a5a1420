//! Signs devices in and out, and recognises devices and programs. All interfaces of the server share this module.
//!
//! - Wrong tokens and codes are counted for each address. An address with many of them has to wait, but a valid key is
//!   still accepted immediately.
//! - Another program may change the file at any time, so nothing is cached.

use std::{
    io,
    net::IpAddr,
    path::Path,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use ashore_engine::UserMessage;
use ashore_messages::message;
use subtle::ConstantTimeEq as _;
use tokio::task::spawn_blocking;

use crate::{
    failure_rate::FailureRate,
    remote_token::TokenFile,
    secret_hash::hash,
    session_file::SessionFile,
    sessions::{SessionBook, SessionKey, TokenKind, TokenOwner},
    token_scope::TokenScope,
};

/// Text that makes the hashes for comparing tokens different from other hashes.
const COMPARISON: &str = "remote token";

/// Secret with which a device signs in.
pub(crate) enum SignInSecret {
    /// Token of `remote-token`.
    Token(String),
    /// Code of a link.
    Pairing(String),
}

/// Reason why a device was not signed in.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum SignInFailure {
    /// The address has to wait for this number of seconds.
    Wait(u64),
    /// The secret is wrong, or is no longer valid.
    Wrong,
    /// A file cannot be read or written.
    Unreadable(UserMessage),
}

/// Secrets that a request contains.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum SentKey {
    /// Key of a device. A request may contain several first halves, because several cookies can have the same name, one
    /// for each path of the host.
    Device { first: Vec<FirstHalf>, second: String },
    /// Token of a program.
    Program(String),
}

/// First half of the key of a device, with the id of the device.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct FirstHalf {
    pub id: String,
    pub half: String,
}

/// Devices and programs of a data folder.
#[derive(Debug)]
pub(crate) struct RemoteSessions {
    file: SessionFile,
    token: TokenFile,
    /// Clock.
    now: fn() -> u64,
    wrong_secrets: Mutex<FailureRate>,
    /// Number of refused sign-ins, keys and tokens since the server started.
    refused: AtomicU64,
}

impl RemoteSessions {
    /// Returns the devices and programs of `data_dir`. `now` returns Unix time in seconds.
    pub(crate) fn new(data_dir: &Path, now: fn() -> u64) -> Self {
        let (file, token) = (SessionFile::new(data_dir), TokenFile::new(data_dir));
        Self { file, token, now, wrong_secrets: Mutex::default(), refused: AtomicU64::new(0) }
    }

    /// Signs a device in, and gives it a name.
    pub(crate) async fn sign_in(
        &self,
        secret: SignInSecret,
        name: String,
        from: IpAddr,
    ) -> Result<(SessionKey, TokenOwner), SignInFailure> {
        let now = (self.now)();
        if let Some(seconds) = self.wrong_secrets().wait(from, now) {
            self.count_refusal();
            return Err(SignInFailure::Wait(seconds));
        }
        let signed_in = match secret {
            SignInSecret::Token(sent) => match self.is_token(sent.clone()).await.map_err(SignInFailure::Unreadable)? {
                true => {
                    let (token, sent) = (self.token.clone(), sent.clone());
                    // Compare again under the lock of the file, because a renewal of the token may have signed all
                    // devices out in the meantime.
                    let sign_in = move |book: &mut SessionBook| {
                        is_same(&sent, token.read().ok().flatten())
                            .then(|| book.sign_in(&name, TokenScope::Control, now, &mut rand::rng()))
                    };
                    let sign_in = move |book: &mut SessionBook| with_log(book, now, sign_in);
                    self.change(sign_in).await
                }
                false => Ok(None),
            },
            SignInSecret::Pairing(code) => {
                let sign_in = move |book: &mut SessionBook| book.redeem_link(&code, &name, now, &mut rand::rng());
                self.change(move |book| with_log(book, now, sign_in)).await
            }
        };
        match signed_in.map_err(SignInFailure::Unreadable)? {
            Some((key, owner)) => {
                self.wrong_secrets().on_success(from);
                tracing::info!(name = owner.name, "device signed in");
                Ok((key, owner))
            }
            None => {
                self.wrong_secrets().on_failure(from, now);
                self.count_refusal();
                tracing::warn!(%from, "sign-in with a wrong token or link refused");
                Err(SignInFailure::Wrong)
            }
        }
    }

    /// Returns the device or program with this key. Returns `None` if the key is wrong, or if its owner is signed out.
    ///
    /// Fails if the file cannot be read.
    pub(crate) async fn owner(&self, key: SentKey, from: IpAddr) -> Result<Option<TokenOwner>, UserMessage> {
        let now = (self.now)();
        let found = self
            .read(move |book| match key {
                SentKey::Device { first, second } => {
                    first.iter().find_map(|FirstHalf { id, half }| book.device(id, half, &second, now))
                }
                SentKey::Program(token) => book.program(&token, now),
            })
            .await?;
        match &found {
            Some(TokenOwner { id, is_old: true, .. }) => {
                let id = id.clone();
                if let Err(why) = self.change(move |book| book.on_seen(&id, now)).await {
                    tracing::warn!(why.text, "time of use of a device could not be written");
                }
            }
            Some(_) => {}
            None => {
                self.wrong_secrets().on_wrong_key(from, now);
                self.count_refusal();
            }
        }
        Ok(found)
    }

    /// Whether the device or program `id` is still signed in. True if the file cannot be read, because otherwise a page
    /// would forget a valid key.
    pub(crate) async fn is_signed_in(&self, id: &str) -> bool {
        let (id, now) = (id.to_owned(), (self.now)());
        self.read(move |book| book.is_valid(&id, now)).await.unwrap_or(true)
    }

    /// Signs the device or program `id` out. Fails if the file cannot be written.
    pub(crate) async fn sign_out(&self, id: String) -> Result<(), UserMessage> {
        self.change(move |book| book.discard(&id)).await
    }

    /// Returns the number of refused sign-ins, keys and tokens since the server started.
    pub(crate) fn refused_sign_ins(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    fn count_refusal(&self) {
        self.refused.fetch_add(1, Ordering::Relaxed);
    }

    async fn is_token(&self, sent: String) -> Result<bool, UserMessage> {
        let token = self.token.clone();
        let known = spawn_blocking(move || token.read()).await.map_err(|error| self.file.fault(&io::Error::other(error)))??;
        Ok(is_same(&sent, known))
    }

    async fn read<T: Send + 'static>(&self, read: impl FnOnce(&SessionBook) -> T + Send + 'static) -> Result<T, UserMessage> {
        let file = self.file.clone();
        let read = spawn_blocking(move || file.read().map(|book| read(&book))).await.map_err(io::Error::other);
        read.flatten().map_err(|error| self.unreadable(&error))
    }

    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut SessionBook) -> T + Send + 'static,
    ) -> Result<T, UserMessage> {
        let file = self.file.clone();
        let changed = spawn_blocking(move || file.change(change)).await.map_err(io::Error::other);
        changed.flatten().map_err(|error| self.unreadable(&error))
    }

    fn unreadable(&self, error: &io::Error) -> UserMessage {
        tracing::error!(%error, "list of signed-in devices cannot be read or written");
        self.file.fault(error)
    }

    fn wrong_secrets(&self) -> MutexGuard<'_, FailureRate> {
        self.wrong_secrets.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Signs a device in, and logs the devices that were signed out because there are too many.
fn with_log<T>(book: &mut SessionBook, now: u64, sign_in: impl FnOnce(&mut SessionBook) -> T) -> T {
    let before = book.clone();
    let signed_in = sign_in(book);
    let dropped = before.valid_of(&[TokenKind::Device], now).filter(|device| !book.is_valid(&device.id, now));
    dropped.for_each(|device| tracing::warn!(device.name, "device was not used for the longest time, and was signed out"));
    signed_in
}

/// Whether `sent` is the token `known`. The duration of the comparison discloses nothing about the token.
fn is_same(sent: &str, known: Option<String>) -> bool {
    // Compare hashes, because they have the same length, whatever was sent.
    known.is_some_and(|known| hash(COMPARISON, &known).as_bytes().ct_eq(hash(COMPARISON, sent).as_bytes()).into())
}

impl SignInFailure {
    /// Returns the message for people.
    pub(crate) fn message(&self) -> UserMessage {
        match self {
            Self::Wait(_) => message!("remote-sign-in.wait"),
            Self::Wrong => message!("remote-sign-in"),
            Self::Unreadable(why) => why.clone(),
        }
    }
}
