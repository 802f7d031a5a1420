//! Provides the certificate and its pin for clients.
//!
//! The certificate is created at the first start, or given by the operator.

use std::{
    fs::{self, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
    sync::Arc,
};

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use rcgen::{CertificateParams, DnType, KeyPair, PKCS_ECDSA_P256_SHA256};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _},
};
use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsAcceptor;

/// Reason why there is no usable certificate. The messages are shown to the user.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A file cannot be read or written.
    #[error("{} cannot be used: {source}.", path.display())]
    File {
        /// File.
        path: PathBuf,
        /// Reason that the system gave.
        source: io::Error,
    },
    /// The file is readable by other users of the machine.
    #[error("{} can be read by others. Make it yours alone: chmod 600 {}", .0.display(), .0.display())]
    Open(PathBuf),
    /// The certificate is not valid at this time.
    #[error("The certificate {} is valid only from {from} to {until}. Renew it, then start the server again.", path.display())]
    Expired {
        /// File.
        path: PathBuf,
        /// Start of the validity, for display.
        from: String,
        /// End of the validity, for display.
        until: String,
    },
    /// The files are not a certificate and its key.
    #[error("{} and its key cannot be used: {why}.", path.display())]
    Unusable {
        /// File.
        path: PathBuf,
        /// Reason.
        why: String,
    },
}

/// Certificate in use.
#[derive(Clone)]
pub struct ServerCertificate {
    /// Acceptor of TLS connections.
    pub acceptor: TlsAcceptor,
    /// SHA-256 of the certificate, in the form used by links.
    pub pin: String,
    /// Path of the certificate.
    pub path: PathBuf,
}

/// Creates a P-256 certificate in `folder`, if the folder has no certificate yet.
///
/// The certificate is valid for the life of the server, because clients verify only the pin.
pub fn make(folder: &Path, names: &[String]) -> Result<(PathBuf, PathBuf), TlsError> {
    let (certificate, key) = (folder.join("certificate.pem"), folder.join("key.pem"));
    if certificate.exists() && key.exists() {
        return Ok((certificate, key));
    }
    let unusable = |error: rcgen::Error| TlsError::Unusable { path: certificate.clone(), why: error.to_string() };
    let pair = KeyPair::generate_for(&PKCS_ECDSA_P256_SHA256).map_err(unusable)?;
    let mut params = CertificateParams::new(names.to_vec()).map_err(unusable)?;
    params.distinguished_name.push(DnType::CommonName, "Ashore sync server");
    (params.not_before, params.not_after) = (rcgen::date_time_ymd(2020, 1, 1), rcgen::date_time_ymd(2120, 1, 1));
    let signed = params.self_signed(&pair).map_err(unusable)?;
    // Write the key first: a certificate without its key would be useless.
    write(&key, pair.serialize_pem().as_bytes(), 0o600)?;
    write(&certificate, signed.pem().as_bytes(), 0o600)?;
    Ok((certificate, key))
}

/// Reads a certificate and its key.
///
/// Fails with `Expired` if the certificate is not valid at the time `now`, in milliseconds.
pub fn read(certificate: &Path, key: &Path, now: i64) -> Result<ServerCertificate, TlsError> {
    let unusable = |why: String| TlsError::Unusable { path: certificate.to_owned(), why };
    check_mode(key)?;
    let chain: Vec<CertificateDer<'static>> =
        CertificateDer::pem_file_iter(certificate).and_then(Iterator::collect).map_err(|error| unusable(error.to_string()))?;
    let first = chain.first().ok_or_else(|| unusable("there is no certificate in it".to_owned()))?;
    let pin = pin(first);
    let (_, parsed) = x509_parser::parse_x509_certificate(first).map_err(|error| unusable(error.to_string()))?;
    let (from, until) = (parsed.validity().not_before, parsed.validity().not_after);
    if !(from.timestamp()..until.timestamp()).contains(&(now / 1000)) {
        return Err(TlsError::Expired { path: certificate.to_owned(), from: from.to_string(), until: until.to_string() });
    }
    let key = PrivateKeyDer::from_pem_file(key).map_err(|error| unusable(error.to_string()))?;
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .and_then(|builder| builder.with_no_client_auth().with_single_cert(chain, key))
        .map_err(|error| unusable(error.to_string()))?;
    Ok(ServerCertificate { acceptor: TlsAcceptor::from(Arc::new(config)), pin, path: certificate.to_owned() })
}

/// Returns the SHA-256 of a certificate, in the form used by links.
pub fn pin(certificate: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(certificate))
}

/// Fails if other users can read or change a file.
pub fn check_mode(path: &Path) -> Result<(), TlsError> {
    let file = |source| TlsError::File { path: path.to_owned(), source };
    let mode = fs::metadata(path).map_err(file)?.permissions().mode();
    if mode & 0o077 == 0 { Ok(()) } else { Err(TlsError::Open(path.to_owned())) }
}

/// Writes a file, replacing an existing one, and syncs it.
///
/// `mode` applies only if the file is new.
pub fn write(path: &Path, bytes: &[u8], mode: u32) -> Result<(), TlsError> {
    let write = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(mode).open(path)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(|source| TlsError::File { path: path.to_owned(), source })
}
