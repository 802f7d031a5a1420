//! Builds the network configuration of transfers from the settings, the environment and the user's files. Reads files;
//! contacts no server.

use std::{
    env,
    fs::OpenOptions,
    io::{self, Read as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use ashore_messages::{MessageArgument, message};
use ashore_transfer::{
    CookieJar, FileCookie, HostCredentials, HttpConfig, Netrc, NotACookie, NotAProxy, ProxyRules, TransferConfig,
    parse_cookie_file,
};

use crate::{
    EngineError,
    platform::atomic_file::{self, SymlinkPolicy},
    settings::Settings,
};

/// File of imported cookies, in the format of a browser's export.
///
/// The file is in the data folder, and only this user can read it.
pub(crate) const COOKIES: &str = "cookies.txt";
/// Maximum size of a netrc file or a list of cookies in bytes.
const LONGEST: u64 = 16 << 20;

/// Configuration of transfers. Also updates `credentials` and `cookies` from the settings.
///
/// Fails with a sentence for users if a file cannot be read, or if a proxy of the settings or the environment is not
/// valid.
pub(crate) fn config(
    settings: &Settings,
    data_dir: &Path,
    credentials: &Arc<HostCredentials>,
    cookies: &CookieJar,
) -> Result<TransferConfig, EngineError> {
    let base = settings.transfers();
    let variable = |name: &str| env::var_os(name).map(|value| value.to_string_lossy().into_owned());
    let proxies = ProxyRules::new(&settings.proxy, &settings.no_proxy, settings.proxy_loopback, variable);
    let netrc = match at_home(&settings.netrc) {
        Some(path) => read_netrc(&path)?,
        None => Netrc::default(),
    };
    let given = given_cookies(data_dir)?;
    let not_a_proxy =
        |NotAProxy(name)| EngineError::Invalid(message!("invalid.network", why = message!("invalid.proxy", name = name)));
    let proxies = proxies.map_err(not_a_proxy)?;
    credentials.set_netrc(netrc);
    cookies.switch(settings.cookies || !given.is_empty());
    cookies.add(&given);
    let http = HttpConfig {
        http2: settings.http2,
        insecure_redirects: settings.insecure_redirects,
        referrer: Some(settings.referrer.clone()).filter(|referrer| !referrer.is_empty()),
        proxies,
        ca_certificate: at_home(&settings.ca_certificate),
        credentials: Arc::clone(credentials),
        cookies: cookies.clone(),
        ..HttpConfig::default()
    };
    let agent = settings.user_agent.trim();
    Ok(TransferConfig {
        user_agent: if agent.is_empty() { base.user_agent.clone() } else { agent.to_owned() },
        connect_timeout: Duration::from_secs_f64(settings.connect_timeout_seconds),
        total_timeout: (settings.total_timeout_seconds > 0.0).then(|| Duration::from_secs_f64(settings.total_timeout_seconds)),
        http,
        ..base
    })
}

/// Cookies that the user imported earlier.
pub(crate) fn given_cookies(data_dir: &Path) -> Result<Vec<FileCookie>, EngineError> {
    let path = data_dir.join(COOKIES);
    if path.exists() { read_cookies(&path) } else { Ok(Vec::new()) }
}

/// Passwords that a netrc file contains.
pub(crate) fn read_netrc(path: &Path) -> Result<Netrc, EngineError> {
    Ok(Netrc::read(&bytes(path)?))
}

/// Cookies that a `cookies.txt` file contains.
pub(crate) fn read_cookies(path: &Path) -> Result<Vec<FileCookie>, EngineError> {
    let read = parse_cookie_file(&String::from_utf8_lossy(&bytes(path)?));
    read.map_err(|NotACookie(line)| EngineError::Invalid(message!("invalid.cookie-file", path = path, line = line)))
}

/// Returns the content, at most [`LONGEST`] bytes, of a file that a user or a program names.
fn bytes(path: &Path) -> Result<Vec<u8>, EngineError> {
    let io = |source| EngineError::io(message!("disk.unread", path = path, why = &source), source);
    let mut bytes = Vec::new();
    let file = atomic_file::open(path, OpenOptions::new().read(true), SymlinkPolicy::Followed).map_err(io)?;
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(io)?;
    if bytes.len() as u64 > LONGEST {
        let why = message!("fault-file.large", size = MessageArgument::size(LONGEST));
        return Err(io(io::Error::new(io::ErrorKind::FileTooLarge, why)));
    }
    Ok(bytes)
}

/// Path that a setting contains, with `~/` replaced by the user's home; `None` if the setting is empty.
fn at_home(path: &Path) -> Option<PathBuf> {
    if path.as_os_str().is_empty() {
        return None;
    }
    match path.strip_prefix("~") {
        Ok(rest) => Some(dirs::home_dir()?.join(rest)),
        Err(_) => Some(path.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn pipe_or_device_as_netrc_or_cookie_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR).unwrap();
        for none in [pipe.as_path(), folder.path(), Path::new("/dev/zero")] {
            let refused = read_netrc(none).unwrap_err();
            assert!(refused.code() == "disk" && refused.to_string().ends_with("it is not a file."), "{refused}");
            assert_eq!(read_cookies(none).unwrap_err().code(), "disk");
        }
    }

    #[test]
    fn oversized_netrc_or_cookie_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("long");
        File::create(&path).unwrap().set_len(LONGEST + 1).unwrap();
        assert!(read_netrc(&path).unwrap_err().to_string().contains("it has more than 16.8 MB"));
        assert_eq!(read_cookies(&path).unwrap_err().code(), "disk");
    }
}
