//! Accepts exactly one server certificate, identified by its SHA-256.
//!
//! Called by the HTTP client. The pin comes from a join link.
//!
//! - Host name, dates and issuer are ignored: the certificate of the server is self-signed, and the address of the
//!   server may change.
//! - The signature in the handshake is verified. A copied certificate is therefore useless without its private key.

use std::sync::Arc;

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme,
    client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
    crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature},
    pki_types::{CertificateDer, ServerName, UnixTime},
};
use sha2::{Digest as _, Sha256};

/// SHA-256 of the certificate of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CertificatePin([u8; 32]);

impl CertificatePin {
    /// Parses a pin from base64url without padding, the form in links.
    pub fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }

    /// Computes the pin of a DER certificate.
    pub fn of_certificate(certificate: &[u8]) -> Self {
        Self(Sha256::digest(certificate).into())
    }

    /// Returns the pin as text for a link.
    pub fn text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

/// Verifier that accepts only the pinned certificate.
#[derive(Debug)]
struct PinVerifier {
    pin: CertificatePin,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        match CertificatePin::of_certificate(end_entity) == self.pin {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(CertificateError::ApplicationVerificationFailure.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// Returns a TLS configuration that accepts only the certificate with this pin.
pub(super) fn pinned_tls(pin: CertificatePin) -> Result<ClientConfig, Error> {
    let provider = Arc::new(aws_lc_rs::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider)).with_safe_default_protocol_versions()?;
    let verifier = Arc::new(PinVerifier { pin, provider });
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verify(pin: CertificatePin, certificate: &[u8]) -> Result<ServerCertVerified, Error> {
        let verifier = PinVerifier { pin, provider: Arc::new(aws_lc_rs::default_provider()) };
        let name = ServerName::try_from("other.example").unwrap();
        verifier.verify_server_cert(
            &CertificateDer::from_slice(certificate),
            &[],
            &name,
            &[],
            UnixTime::since_unix_epoch(std::time::Duration::ZERO),
        )
    }

    #[test]
    fn pin_survives_round_trip_as_text() {
        let pin = CertificatePin::of_certificate(b"certificate");
        assert_eq!(CertificatePin::parse(&pin.text()), Some(pin));
        assert_eq!(pin.text().len(), 43);
        for wrong in ["", "-", "tls", &pin.text()[1..], &format!("{}=", pin.text())] {
            assert_eq!(CertificatePin::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn certificate_that_does_not_match_pin_is_rejected() {
        let pin = CertificatePin::of_certificate(b"certificate");
        assert!(verify(pin, b"certificate").is_ok(), "name and dates are ignored");
        let error = Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure);
        assert_eq!(verify(pin, b"certificatf").unwrap_err(), error);
    }
}
