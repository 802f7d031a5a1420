//! nginx on loopback that serves the documents: plain, limited in two ways, logged, and over TLS.

use std::{
    fs,
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use rustix::process::{Pid, Signal, kill_process};

use crate::wait::pause;

const PATIENCE: Duration = Duration::from_secs(20);

/// Running nginx; ends when dropped.
#[derive(Debug)]
pub struct OriginServer {
    process: Child,
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
    /// 1 MiB/s for three connections in ten, 16 MiB/s for the others.
    Uneven,
    /// Unlimited, with every response logged.
    Counted,
    /// TLS with HTTP/1.1 only.
    Tls1,
    /// TLS with HTTP/2 if the client chooses it.
    Tls2,
}

impl OriginServer {
    /// Starts nginx for `documents`, with its own files in `folder`.
    pub fn start(folder: &Path, documents: &Path) -> Result<Self> {
        fs::create_dir_all(folder)?;
        certify(folder)?;
        // A free port may be taken by another program before nginx binds it; try others then.
        for _ in 0..5 {
            let ports = free_ports()?;
            fs::write(folder.join("nginx.conf"), configuration(folder, documents, ports))?;
            let errors = fs::File::create(folder.join("error.log"))?;
            let mut process = Command::new(nginx()?)
                .arg("-p")
                .arg(folder)
                .arg("-c")
                .arg(folder.join("nginx.conf"))
                .arg("-e")
                .arg(folder.join("error.log"))
                .stdin(Stdio::null())
                .stderr(errors)
                .spawn()?;
            let deadline = Instant::now() + PATIENCE;
            while process.try_wait()?.is_none() {
                if TcpStream::connect((Ipv4Addr::LOCALHOST, ports[0])).is_ok() {
                    return Ok(Self { process, folder: folder.to_owned(), ports });
                }
                ensure!(Instant::now() < deadline, "nginx accepts no connections");
                pause(Duration::from_millis(10));
            }
        }
        bail!("nginx did not start: {}", fs::read_to_string(folder.join("error.log")).unwrap_or_default());
    }

    /// Returns the process id; the workers are its children.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the port without TLS.
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

    /// Returns the body bytes of all logged responses so far.
    pub fn sent(&self) -> Result<u64> {
        let text = fs::read_to_string(self.folder.join("sent.log"))?;
        Ok(text.lines().filter_map(|line| line.parse::<u64>().ok()).sum())
    }
}

impl Drop for OriginServer {
    fn drop(&mut self) {
        // SIGKILL would leave the worker running.
        if let Ok(None) = self.process.try_wait() {
            let _ = kill_process(Pid::from_child(&self.process), Signal::TERM);
        }
        let _ = self.process.wait();
    }
}

fn free_ports() -> Result<[u16; 3]> {
    let listen = || TcpListener::bind((Ipv4Addr::LOCALHOST, 0));
    let held = [listen()?, listen()?, listen()?];
    let [one, two, three] = &held;
    Ok([one.local_addr()?.port(), two.local_addr()?.port(), three.local_addr()?.port()])
}

/// Creates a certificate authority and a certificate for localhost signed by it.
///
/// Clients reject a self-signed certificate in both roles.
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

fn nginx() -> Result<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain([PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/sbin")]);
    let found = places.map(|place| place.join("nginx")).find(|path| path.is_file());
    found.context("nginx is not installed. Install it: sudo apt-get install nginx-light")
}

/// Returns the version of nginx.
pub fn version() -> Result<String> {
    let output = Command::new(nginx()?).arg("-v").output()?;
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok(text.trim().rsplit('/').next().unwrap_or_default().to_owned())
}

fn configuration(folder: &Path, documents: &Path, [plain, tls1, tls2]: [u16; 3]) -> String {
    let (folder, documents) = (folder.display(), documents.display());
    // When started by root, the worker would run as a user without access to the folder.
    let user = if rustix::process::geteuid().is_root() { "user root;" } else { "" };
    format!(
        "daemon off; {user} worker_processes 1; pid {folder}/pid;
         events {{ worker_connections 2048; }}
         http {{
           access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
           default_type application/octet-stream;
           log_format sent '$body_bytes_sent';
           map $connection $uneven {{ ~[012]$ 1m; default 16m; }}
           client_body_temp_path {folder}/t1; proxy_temp_path {folder}/t2; fastcgi_temp_path {folder}/t3;
           uwsgi_temp_path {folder}/t4; scgi_temp_path {folder}/t5;
           ssl_certificate {folder}/server.pem; ssl_certificate_key {folder}/server.key;
           root {documents};
           server {{
             listen 127.0.0.1:{plain};
             location /capped/ {{ alias {documents}/; limit_rate 5m; }}
             location /uneven/ {{ alias {documents}/; limit_rate $uneven; }}
             location /counted/ {{ alias {documents}/; access_log {folder}/sent.log sent; }}
           }}
           server {{ listen 127.0.0.1:{tls1} ssl; }}
           server {{ listen 127.0.0.1:{tls2} ssl http2; }}
         }}\n"
    )
}
