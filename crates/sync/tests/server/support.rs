//! Starts the real server, and servers with given TLS certificates.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    process::Stdio,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use ashore_sync::server::{DeviceEnrolment, DeviceToken, HttpServer, OutgoingObject, ServerAddress, SyncServer as _};
use ashore_testkit::{
    sync_server::place::{PATIENCE, ServerPlace},
    tools::built,
};
use hkdf::Hkdf;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer},
    sign::{CertifiedKey, SingleCertAndKey},
};
use sha2::Sha256;
use tempfile::TempDir;
use tokio::{
    io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader},
    net::TcpListener,
    process::Child,
};
use tokio_rustls::TlsAcceptor;
use zeroize::Zeroizing;

/// Running `ashore-sync-server` with its own data folder. The server is killed on drop.
pub struct RealServer {
    /// Host and port.
    pub address: String,
    /// Join link of the first user.
    pub link: String,
    _child: Child,
    _folder: TempDir,
}

/// Self-signed certificate for `other.example`, with its key.
pub struct TestCertificate {
    pub der: CertificateDer<'static>,
    pub pem: String,
    pub key: KeyPair,
}

impl TestCertificate {
    /// Returns a certificate that expired in 2002.
    pub fn expired() -> Self {
        let mut params = CertificateParams::new(vec!["other.example".to_owned()]).unwrap();
        (params.not_before, params.not_after) = (date_time_ymd(2001, 1, 1), date_time_ymd(2002, 1, 1));
        Self::with(&params)
    }

    /// Returns a valid certificate, which the real server requires.
    pub fn valid() -> Self {
        Self::with(&CertificateParams::new(vec!["other.example".to_owned()]).unwrap())
    }

    fn with(params: &CertificateParams) -> Self {
        let key = KeyPair::generate().unwrap();
        let certificate = params.self_signed(&key).unwrap();
        Self { der: certificate.der().clone(), pem: certificate.pem(), key }
    }
}

impl RealServer {
    /// Starts the server on loopback. Uses TLS if there is a certificate.
    pub async fn start(certificate: Option<&TestCertificate>) -> Self {
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
        let program = built("ashore-sync-server").unwrap();
        let place = ServerPlace { program, folder: folder.path().join("data"), database: None };
        let mut command = place.command();
        if let Some(certificate) = certificate {
            let (pem, key) = (folder.path().join("certificate.pem"), folder.path().join("key.pem"));
            fs::write(&pem, &certificate.pem).unwrap();
            fs::write(&key, certificate.key.serialize_pem()).unwrap();
            fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
            command.arg("--certificate").arg(pem).arg("--key").arg(key);
        }
        let mut child = command.stderr(Stdio::inherit()).spawn().unwrap();
        let (mut lines, mut line) = (BufReader::new(child.stdout.take().unwrap()), String::new());
        tokio::time::timeout(PATIENCE, lines.read_line(&mut line)).await.expect("the server starts").unwrap();
        let ready: serde_json::Value = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        let address = ready["addresses"][0].as_str().unwrap().split_once("://").unwrap().1.to_owned();
        let link = ready["invite"].as_str().unwrap().to_owned();
        Self { address, link, _child: child, _folder: folder }
    }

    /// Returns a client without a token, with the pin of the link.
    pub fn client(&self) -> HttpServer {
        let pin = self.link.rsplit_once('.').unwrap().1;
        HttpServer::new(ServerAddress::from_link(&self.address, pin).unwrap()).unwrap()
    }

    /// Enrols the first device of the first user.
    pub fn set_up(&self) -> DeviceEnrolment {
        let (place, fragment) = self.link.strip_prefix("ashore://join/").unwrap().split_once('#').unwrap();
        let (invite, secret) = (place.rsplit_once("/0/").unwrap().1, fragment.split_once('.').unwrap().0);
        DeviceEnrolment { uid: 0, invite: Some(invite.to_owned()), auth: proof(secret, 0), name: "Laptop".to_owned() }
    }
}

/// Derives the proof from the secret of an invite.
pub fn proof(secret: &str, uid: i64) -> Zeroizing<String> {
    let mut auth = [0; 32];
    let salt = uid.to_string();
    Hkdf::<Sha256>::new(Some(salt.as_bytes()), secret.as_bytes()).expand(b"ashore-sync/1/auth", &mut auth).unwrap();
    Zeroizing::new(hex::encode(auth))
}

/// TLS listener that counts the bytes that clients send. Answers every request with 503.
pub struct CountingListener {
    /// Host and port.
    pub address: String,
    /// Number of received bytes inside TLS.
    pub bytes: Arc<AtomicUsize>,
    /// Number of connections.
    pub connections: Arc<AtomicUsize>,
}

impl CountingListener {
    /// Listens with a certificate and a key, which need not match each other.
    pub async fn start(certificate: &CertificateDer<'static>, key: &KeyPair) -> Self {
        let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let key = provider.key_provider.load_private_key(key).unwrap();
        let certified = SingleCertAndKey::from(CertifiedKey::new(vec![certificate.clone()], key));
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_cert_resolver(Arc::new(certified));
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let (bytes, connections) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let (counted, connected) = (Arc::clone(&bytes), Arc::clone(&connections));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                connected.fetch_add(1, Ordering::SeqCst);
                // The handshake fails if the client rejects the certificate.
                let Ok(mut stream) = acceptor.accept(stream).await else { continue };
                let mut buffer = [0; 4096];
                if let Ok(read) = stream.read(&mut buffer).await {
                    counted.fetch_add(read, Ordering::SeqCst);
                    let answer = b"HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 1\r\n\r\n0";
                    let _ = stream.write_all(answer).await;
                    let _ = stream.shutdown().await;
                }
            }
        });
        Self { address, bytes, connections }
    }

    /// Returns a client with a token and this pin.
    pub fn client(&self, pin: &str) -> HttpServer {
        let server = HttpServer::new(ServerAddress::from_link(&self.address, pin).unwrap()).unwrap();
        server.with_token(token())
    }

    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::SeqCst)
    }

    pub fn connections(&self) -> usize {
        self.connections.load(Ordering::SeqCst)
    }
}

/// Returns a token in the form of a real token.
pub fn token() -> DeviceToken {
    DeviceToken::parse("1234567890.device.secret").unwrap()
}

pub fn object(id: &str, payload: &str) -> OutgoingObject {
    OutgoingObject { id: id.to_owned(), payload: payload.to_owned(), ttl_s: None }
}
