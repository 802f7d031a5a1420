//! nginx on loopback that serves the documents in several ways: plain, with two kinds of speed limit, logged, and over
//! TLS.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use anyhow::{Context, Result, ensure};
use ashore_testkit::nginx::Nginx;

/// Running nginx; ends when dropped.
#[derive(Debug)]
pub struct OriginServer {
    nginx: Nginx,
    folder: PathBuf,
    ports: [u16; 3],
}

/// Server or location of nginx.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OriginAddress {
    /// Unlimited.
    Plain,
    /// 5 MiB/s per connection.
    Capped,
    /// 1 MiB/s for three of every ten connections, 16 MiB/s for the others.
    Uneven,
    /// Unlimited, with every response logged.
    Counted,
    /// TLS with HTTP/1.1 only.
    Tls1,
    /// TLS with HTTP/2 if the client chooses it.
    Tls2,
}

impl OriginServer {
    /// Starts nginx, which serves `documents`. Its configuration and temporary files are in `folder`.
    pub fn start(folder: &Path, documents: &Path) -> Result<Self> {
        fs::create_dir_all(folder)?;
        certify(folder)?;
        let (nginx, ports) = Nginx::start_on_ports(folder, |ports| directives(folder, documents, ports))?;
        Ok(Self { nginx, folder: folder.to_owned(), ports })
    }

    /// Returns the process id; the workers are its children.
    pub fn id(&self) -> u32 {
        self.nginx.id()
    }

    /// Returns the port that serves without TLS.
    pub fn port(&self) -> u16 {
        self.ports[0]
    }

    /// Returns the URL of a folder of documents, without a trailing slash.
    pub fn address(&self, face: OriginAddress, folder: &str) -> String {
        let [plain, tls1, tls2] = self.ports;
        match face {
            OriginAddress::Plain => format!("http://127.0.0.1:{plain}/{folder}"),
            OriginAddress::Capped => format!("http://127.0.0.1:{plain}/capped/{folder}"),
            OriginAddress::Uneven => format!("http://127.0.0.1:{plain}/uneven/{folder}"),
            OriginAddress::Counted => format!("http://127.0.0.1:{plain}/counted/{folder}"),
            OriginAddress::Tls1 => format!("https://localhost:{tls1}/{folder}"),
            OriginAddress::Tls2 => format!("https://localhost:{tls2}/{folder}"),
        }
    }

    /// Returns the path of the certificate authority.
    pub fn authority(&self) -> PathBuf {
        self.folder.join("authority.pem")
    }

    /// Returns the total number of body bytes in all responses logged so far.
    pub fn sent(&self) -> Result<u64> {
        let text = fs::read_to_string(self.folder.join("sent.log"))?;
        Ok(text.lines().filter_map(|line| line.parse::<u64>().ok()).sum())
    }
}

/// Creates a certificate authority and a localhost certificate signed by it.
///
/// Clients would reject a single self-signed certificate that has both roles.
fn certify(folder: &Path) -> Result<()> {
    let make = |subject: &str, name: &str, extensions: &[&str], signer: &[&str]| {
        let mut command = Command::new("openssl");
        command.current_dir(folder).args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]);
        command.args(["-nodes", "-days", "30", "-subj", subject]);
        command.args(["-keyout", &format!("{name}.key"), "-out", &format!("{name}.pem")]).args(signer);
        for extension in extensions {
            command.args(["-addext", extension]);
        }
        let output = command.output().context("openssl, which creates the certificates, could not be started")?;
        ensure!(output.status.success(), "openssl: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    };
    make("/CN=Ashore bench", "authority", &["keyUsage=critical,keyCertSign"], &[])?;
    let extensions = ["subjectAltName=DNS:localhost,IP:127.0.0.1", "basicConstraints=critical,CA:FALSE"];
    make("/CN=localhost", "server", &extensions, &["-CA", "authority.pem", "-CAkey", "authority.key"])
}

/// Returns the configuration text of all servers.
fn directives(folder: &Path, documents: &Path, [plain, tls1, tls2]: [u16; 3]) -> String {
    let (folder, documents) = (folder.display(), documents.display());
    format!(
        "access_log off; tcp_nopush on; keepalive_requests 1000000;
         log_format sent '$body_bytes_sent';
         map $connection $uneven {{ ~[012]$ 1m; default 16m; }}
         ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key;
         root {documents};
         server {{
           listen 127.0.0.1:{plain};
           location /capped/ {{ alias {documents}/; limit_rate 5m; }}
           location /uneven/ {{ alias {documents}/; limit_rate $uneven; }}
           location /counted/ {{ alias {documents}/; access_log {folder}/sent.log sent; }}
         }}
         server {{ listen 127.0.0.1:{tls1} ssl; }}
         server {{ listen 127.0.0.1:{tls2} ssl http2; }}"
    )
}
