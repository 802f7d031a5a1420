//! Defines every subcommand and option of the command line, with its help text.

use std::{net::SocketAddr, path::PathBuf};

use ashore_sync_server::store::DatabasePool;
use ashore_terminal::OutputOptions;
use clap::{Args, Parser, Subcommand};
use ipnet::IpNet;

use crate::problem::ServerProblem;

const EXAMPLES: &str = "\
Examples:
  ashore-sync-server serve                          only for this machine
  ashore-sync-server serve --listen 0.0.0.0:5350    for all machines at home, over TLS
  ashore-sync-server install --listen 0.0.0.0:5350  the same, at every start of this machine
  ashore-sync-server invite                         print a link for another person
  ashore-sync-server backup sync.backup             write a backup, also of a running server

Exit codes:
  0    all done
  1    something failed or is wrong
  2    the arguments are not valid
  3    the database cannot be used
  4    refused

Results go to stdout, messages for people and the log to stderr. With --json the
log is JSON as well, and a verb that fails also prints
{\"error\": {\"code\": ..., \"text\": ...}}. With -v the log has every request.";

/// Sync server for Ashore and for every other client of Sync Storage 1.5.
#[derive(Debug, Parser)]
#[command(name = "ashore-sync-server", version, after_long_help = EXAMPLES, max_term_width = 120)]
pub struct ServerArguments {
    #[command(flatten)]
    pub common: CommonArguments,
    #[command(subcommand)]
    pub verb: ServerVerb,
}

/// Options of every subcommand.
#[derive(Debug, Args)]
#[command(next_help_heading = "Everywhere")]
pub struct CommonArguments {
    /// Folder of the database, the secret and the certificate [default: ashore-sync-server in the XDG data folder]
    #[arg(long, value_name = "DIR", env = "ASHORE_SYNC_SERVER_DATA_DIR", hide_env_values = true, global = true)]
    pub data_dir: Option<PathBuf>,
    /// PostgreSQL database instead of a file, such as postgres://sync@db.example/sync; `?host=/run/postgresql` for a
    /// socket
    #[arg(long, value_name = "ADDRESS", env = "ASHORE_SYNC_SERVER_DATABASE", hide_env_values = true, global = true)]
    pub database: Option<String>,
    #[command(flatten)]
    pub output: OutputOptions,
}

#[derive(Debug, Subcommand)]
pub enum ServerVerb {
    /// Serve until Ctrl-C or SIGTERM
    ///
    /// Prints one line when the server is ready, and a link for the first user if there is no user yet. With --json:
    /// {"ready": true, "addresses": [...], "invite": ...}. Uses plain HTTP on loopback, and TLS elsewhere.
    Serve(ServeArguments),
    /// Serve at every start of this machine, as a systemd unit of this user
    ///
    /// Takes the options of `serve`, writes the unit, and prints the command that starts it.
    Install(ServeArguments),
    /// Print a link that creates a new user; valid once, for ten minutes
    Invite(InviteArguments),
    /// List users with their sizes and quotas, or remove a user
    Users(UsersArguments),
    /// List the devices of a user, or remove a device and revoke its token
    Devices(DeviceArguments),
    /// Show or set the quota of a user
    Quota(SetQuotaArguments),
    /// Delete expired data now instead of waiting up to ten minutes
    Purge,
    /// Save everything in a file, even while the server runs
    ///
    /// The file can be restored into either kind of database. The file contains hashes of secrets, and the data that
    /// clients stored. Save the secret and the certificate in the data folder as well, because clients know the
    /// certificate.
    Backup(UserArguments),
    /// Restore a backup into an empty database
    Restore(UserArguments),
    /// Check the database, the secret and the certificate. Exit code 1 if something is wrong
    Doctor,
}

#[derive(Debug, Args)]
pub struct ServeArguments {
    /// Address and port to listen on; repeat the option for several addresses
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:5350")]
    pub listen: Vec<SocketAddr>,
    /// Serve without TLS, because a proxy in front provides it
    #[arg(long, conflicts_with_all = ["certificate", "key"])]
    pub plain: bool,
    /// Proxy, or network of proxies, that may connect without TLS and report the address of the client
    #[arg(long, value_name = "NETWORK", value_parser = network)]
    pub proxy: Vec<IpNet>,
    /// Address that clients use, such as https://sync.example [default: the address that each client requests]
    #[arg(long, value_name = "URL", value_parser = origin)]
    pub public_url: Option<String>,
    /// Certificate of your own, in PEM [default: created at the first start]
    #[arg(long, value_name = "FILE", requires = "key")]
    pub certificate: Option<PathBuf>,
    /// Key of that certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "certificate")]
    pub key: Option<PathBuf>,
    /// File with the secret of Hawk tokens, the same for all nodes [default: created at the first start]
    #[arg(long, value_name = "FILE")]
    pub secret: Option<PathBuf>,
    /// Create the user of a token at the first write, if the token is signed with the secret
    #[arg(long)]
    pub allow_new_users: bool,
    /// Quota in bytes of users without an individual quota, such as 500M; "none" for unlimited
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = amount)]
    pub quota: i64,
    /// Serve Prometheus metrics on this separate address
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub metrics: Option<SocketAddr>,
    /// Stop when stdin ends, for a program that starts this one
    #[arg(long)]
    pub until_stdin_ends: bool,
}

#[derive(Debug, Args)]
pub struct InviteArguments {
    /// Host and port of the server, or a URL such as https://sync.example [default: the address of the running server]
    #[arg(long, value_name = "ADDRESS")]
    pub address: Option<String>,
    /// Create a link to a server without TLS
    #[arg(long)]
    pub plain: bool,
}

#[derive(Debug, Args)]
pub struct UsersArguments {
    /// Remove this user with all data
    #[arg(long, value_name = "UID")]
    pub remove: Option<i64>,
}

#[derive(Debug, Args)]
pub struct DeviceArguments {
    /// Id of the user
    #[arg(value_name = "UID")]
    pub user: i64,
    /// Remove this device
    #[arg(long, value_name = "DEVICE", allow_hyphen_values = true)]
    pub remove: Option<String>,
}

#[derive(Debug, Args)]
pub struct SetQuotaArguments {
    /// Id of the user
    #[arg(value_name = "UID")]
    pub user: i64,
    /// 500M, 2G, "none" for unlimited, or "default" for the quota of the server
    #[arg(value_name = "SIZE", value_parser = quota)]
    pub size: Option<QuotaSize>,
}

/// Quota as typed by the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaSize(pub Option<i64>);

#[derive(Debug, Args)]
pub struct UserArguments {
    /// Path of the backup file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

impl CommonArguments {
    /// Returns the data folder as an absolute path.
    pub fn folder(&self) -> Result<PathBuf, ServerProblem> {
        let usual = || dirs::data_dir().map(|data| data.join("ashore-sync-server"));
        let none =
            || ServerProblem::Usage("There is no home folder to keep the database in. Name a folder with --data-dir.".to_owned());
        let folder = self.data_dir.clone().or_else(usual).ok_or_else(none)?;
        std::path::absolute(&folder)
            .map_err(|error| ServerProblem::Usage(format!("The folder {} cannot be used: {error}.", folder.display())))
    }

    /// Returns the folder or the address of the database.
    pub fn place(&self) -> Result<DatabasePool, ServerProblem> {
        match &self.database {
            None => Ok(DatabasePool::Folder(self.folder()?)),
            Some(address) if address.starts_with("postgres://") || address.starts_with("postgresql://") => {
                Ok(DatabasePool::Postgres(address.clone()))
            }
            Some(_) => Err(ServerProblem::Usage("A database address looks like postgres://user@host/name.".to_owned())),
        }
    }
}

/// Parses a number of bytes; K, M and G stand for 1,024 and its powers.
///
/// The text `none` stands for the largest number.
fn amount(text: &str) -> Result<i64, String> {
    let wrong = || "an amount looks like 500K, 2M or 2G (bytes), or none".to_owned();
    if text.eq_ignore_ascii_case("none") {
        return Ok(i64::MAX);
    }
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 10),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 20),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 30),
        _ => (text, 0),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(wrong());
    }
    digits.parse::<i64>().ok().and_then(|number| number.checked_mul(1 << shift)).ok_or_else(wrong)
}

fn quota(text: &str) -> Result<QuotaSize, String> {
    match text {
        "default" => Ok(QuotaSize(None)),
        text => amount(text).map(|bytes| QuotaSize(Some(bytes))),
    }
}

/// Parses a URL that consists of scheme and host, and removes a slash at the end.
///
/// A path is refused, because links and signatures cannot contain a path.
pub fn origin(text: &str) -> Result<String, String> {
    let wrong = || "a public address looks like https://sync.example or https://sync.example:8443".to_owned();
    let uri: http::Uri = text.parse().map_err(|_| wrong())?;
    let parts = uri.into_parts();
    let (Some(scheme), Some(authority)) = (parts.scheme, parts.authority) else { return Err(wrong()) };
    let is_bare = parts.path_and_query.is_none_or(|path| path == "/") && !authority.as_str().contains('@');
    match is_bare && ["http", "https"].contains(&scheme.as_str()) {
        true => Ok(format!("{scheme}://{authority}")),
        false => Err(wrong()),
    }
}

/// Parses a network or a single address.
fn network(text: &str) -> Result<IpNet, String> {
    let wrong = |_: std::net::AddrParseError| "a network looks like 10.0.0.0/8, and a proxy like 10.0.0.1".to_owned();
    text.parse::<IpNet>().or_else(|_| text.parse::<std::net::IpAddr>().map(IpNet::from).map_err(wrong))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;

    #[test]
    fn argument_definition_is_valid() {
        ServerArguments::command().debug_assert();
    }

    #[test]
    fn arguments_for_size_and_network_and_origin_are_validated() {
        assert_eq!(amount("2G"), Ok(2 << 30));
        assert_eq!(amount("0"), Ok(0));
        assert_eq!(amount("none"), Ok(i64::MAX));
        for wrong in ["", "K", "-1", "1.5M", "2GB", "99999999999G", "²"] {
            assert!(amount(wrong).is_err(), "{wrong}");
        }
        assert_eq!(quota("default"), Ok(QuotaSize(None)));
        assert_eq!(network("10.0.0.1").unwrap().to_string(), "10.0.0.1/32");
        assert!(network("home").is_err());
        assert_eq!(origin("https://Sync.example:8443/"), Ok("https://Sync.example:8443".to_owned()));
        for wrong in
            ["sync.example", "ftp://sync.example", "https://sync.example/sync", "https://a@sync.example", "https://x/?a", ""]
        {
            assert!(origin(wrong).is_err(), "{wrong}");
        }
    }
}
