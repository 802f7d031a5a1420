//! Tests authentication from the command line: sign-ins, netrc, cookies and proxies.
//!
//! Each test searches all files: each secret may occur only in the file in which it must be stored.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use ashore_testkit::{
    origin::{Body, Origin},
    proxy::Proxy,
    tls::{Authority, Shown, TlsOrigin},
};

use rustix::process::Signal;

use crate::cli::program::{Person, end};

/// `ann:canary` in an `Authorization` header.
const ANN: &str = "Basic YW5uOmNhbmFyeQ==";

/// Returns the files under `folder` that contain a secret of these tests in any form.
fn with_secrets(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(with_secrets(&path));
        } else if let Ok(bytes) = fs::read(&path)
            && ["canary", &ANN[6..]].iter().any(|secret| holds(&bytes, secret.as_bytes()))
        {
            found.push(path);
        }
    }
    found
}

fn holds(bytes: &[u8], secret: &[u8]) -> bool {
    bytes.windows(secret.len()).any(|window| window == secret)
}

#[tokio::test(flavor = "multi_thread")]
async fn stored_password_is_sent_only_to_its_server_and_never_shown() {
    let (origin, person) = (Origin::start().await, Person::new());
    let body = Body::seeded(1, 3 << 20);
    let route = origin.file("/a.bin", body.clone()).reset_after(2 << 20).times(1);
    let server = origin.url("/").origin().ascii_serialization();
    let ran = person.run_with_input(["sign-in", &server, "--user", "ann"], "canary\n").await;
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""), "{ran:?}");
    assert!(ran.stderr.contains("a file that only you can read") && ran.stderr.contains("sign-out"), "{ran:?}");
    let listed = person.run(["sign-in", "--json"]).await;
    assert_eq!(listed.objects(), [serde_json::json!({ "origin": server, "kept": "file" })]);

    person.settings("retry-after-seconds = 0.05\n");
    let mut command = person.command(["get", origin.url("/a.bin").as_str(), "-vvv"]);
    let got = end(command.env("RUST_LOG", "trace").spawn().unwrap()).await;
    assert_eq!(got.code, Some(0), "{got:?}");
    assert!(got.stderr.contains("TRACE"), "everything there is to log was logged");
    let sent: Vec<_> = route.requests().iter().map(|request| request.header("authorization").map(str::to_owned)).collect();
    assert_eq!(sent, [Some(ANN.to_owned()), Some(ANN.to_owned())], "the first try and the resume");
    let shown = person.run(["list", "--json"]).await;
    for ran in [&ran, &listed, &got, &shown] {
        let text = format!("{ran:?}");
        assert!(!text.contains("canary") && !text.contains(&ANN[6..]), "{text}");
    }
    let file = person.data().join("sign-ins.json");
    assert_eq!(with_secrets(person.home()), std::slice::from_ref(&file));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);

    let ran = person.run(["sign-out", origin.url("/any").as_str()]).await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "Sign-in removed.\n"), "{ran:?}");
    assert_eq!(with_secrets(person.home()), Vec::<PathBuf>::new());
    let again = person.run(["get", origin.url("/a.bin").as_str()]).await;
    assert_eq!(again.code, Some(0), "{again:?}");
    assert_eq!(route.requests().last().unwrap().header("authorization"), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn user_option_applies_to_one_server_only() {
    let (origin, other, person) = (Origin::start().await, Origin::start().await, Person::new());
    let far = other.file("/far.bin", Body::bytes("far"));
    let near = origin.redirects("/near", 302, other.url("/far.bin").as_str());
    let ran = person.run(["get", origin.url("/near").as_str(), "-u", "ann:canary"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(near.requests()[0].header("authorization"), Some(ANN));
    assert_eq!(far.requests()[0].header("authorization"), None);
    let (one, two) = (origin.url("/near"), other.url("/far.bin"));
    let ran = person.run(["get", one.as_str(), two.as_str(), "-u", "ann:canary"]).await;
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(!format!("{ran:?}").contains("canary"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn running_engine_uses_added_token_immediately() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/a.bin", Body::bytes("a"));
    let (serving, _) = person.serve().await;
    let ran = person.run_with_input(["sign-in", origin.url("/").as_str(), "--token", "--json"], "to.ken-canary\n").await;
    assert_eq!(ran.objects()[0]["kept"], "file", "{ran:?}");
    let ran = person.run(["get", origin.url("/a.bin").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(route.requests()[0].header("authorization"), Some("Bearer to.ken-canary"));
    let ran = person.run_with_input(["sign-in", origin.url("/").as_str(), "--token"], "two words\n").await;
    assert_eq!(ran.code, Some(4), "{ran:?}");
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn netrc_is_used_only_when_server_requires_sign_in() {
    let (origin, person) = (Origin::start().await, Person::new());
    let asks = origin.file("/asks.bin", Body::bytes("a")).header("WWW-Authenticate", "Basic realm=\"x\"").status(401).times(1);
    let silent = origin.file("/silent.bin", Body::bytes("b"));
    fs::write(person.home().join(".netrc"), "default login ann password canary\n").unwrap();
    let ran = person.run(["get", "--netrc", origin.url("/silent.bin").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(silent.requests()[0].header("authorization"), None);
    let ran = person.run(["get", "--netrc", origin.url("/asks.bin").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(asks.requests()[1].header("authorization"), Some(ANN));
    assert_eq!(with_secrets(person.home()), [person.home().join(".netrc")]);
    let ran = person.run(["get", "--netrc-file", "nowhere", origin.url("/asks.bin").as_str()]).await;
    assert_eq!(ran.code, Some(4), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn browser_cookies_are_stored_privately_for_later_runs() {
    let (origin, person) = (Origin::start().await, Person::new());
    let route = origin.file("/a.bin", Body::bytes("a"));
    let text = "# Netscape HTTP Cookie File\n#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\tcanary\n";
    fs::write(person.home().join("cookies.txt"), text).unwrap();
    let url = origin.url("/a.bin");
    let ran = person.run(["get", "--cookies", "../cookies.txt", url.as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::remove_file(person.home().join("cookies.txt")).unwrap();
    let ran = person.run(["get", url.as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    for request in route.requests() {
        assert_eq!(request.header("cookie"), Some("session=canary"));
    }
    let kept = person.data().join("cookies.txt");
    assert_eq!(with_secrets(person.home()), std::slice::from_ref(&kept));
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o600);
    fs::write(person.home().join("cookies.txt"), "{\"not\": \"netscape\"}\n").unwrap();
    let ran = person.run(["get", "--cookies", "../cookies.txt", url.as_str()]).await;
    assert_eq!(ran.code, Some(4), "{ran:?}");
    assert!(ran.stderr.contains("line 1"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn cookie_header_is_stored_for_its_server_only() {
    let (origin, other, person) = (Origin::start().await, Origin::start().await, Person::new());
    let route = origin.file("/a.bin", Body::seeded(1, 3 << 20)).reset_after(2 << 20).times(1);
    let elsewhere = other.file("/b.bin", Body::bytes("b"));
    person.settings("retry-after-seconds = 0.05\n");
    let sent = || route.requests().iter().map(|request| request.header("cookie").map(str::to_owned)).collect::<Vec<_>>();
    let ran = person.run(["get", "-H", "Cookie: session=canary; taste=plain", origin.url("/a.bin").as_str()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let cookies = Some("session=canary; taste=plain".to_owned());
    assert_eq!(sent(), [cookies.clone(), cookies], "the first try and the resume");
    let file = person.data().join("sign-ins.json");
    assert_eq!(with_secrets(person.home()), std::slice::from_ref(&file));
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let server = origin.url("/").origin().ascii_serialization();
    assert_eq!(person.run(["sign-in", "--json"]).await.objects(), [serde_json::json!({ "origin": server, "kept": "file" })]);

    // A cookie replaces only an earlier cookie with the same name.
    let command = format!("curl '{}' -b 'taste=sweet'", origin.url("/a.bin"));
    let ran = person.run(["get", "--curl", &command]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(sent().pop().unwrap().as_deref(), Some("taste=sweet; session=canary"));
    let ran = person.run(["get", other.url("/b.bin").as_str()]).await;
    assert_eq!((ran.code, elsewhere.requests()[0].header("cookie")), (Some(0), None), "another port is another server");

    let ran = person.run(["sign-out", origin.url("/any").as_str()]).await;
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), "Sign-in removed.\n"), "{ran:?}");
    assert_eq!(with_secrets(person.home()), Vec::<PathBuf>::new());
    let ran = person.run(["get", origin.url("/a.bin").as_str()]).await;
    assert_eq!((ran.code, sent().pop().unwrap()), (Some(0), None), "{ran:?}");
    let ran = person.run(["get", "-H", "Cookie: canary", origin.url("/a.bin").as_str()]).await;
    assert!(ran.code == Some(4) && ran.stderr.contains("no cookies for 127.0.0.1"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn proxy_from_environment_is_used_and_invalid_proxy_is_refused() {
    let (origin, proxy, person) = (Origin::start().await, Proxy::http_for("ann", "canary").await, Person::new());
    origin.file("/a.bin", Body::bytes("a"));
    person.settings("proxy-loopback = true\nretry-after-seconds = 0.05\nattempts = 2\n");
    let get = |variable: &'static str, value: String| {
        let mut command = person.command(["get", origin.url("/a.bin").as_str()]);
        command.env(variable, value);
        async move { end(command.spawn().unwrap()).await }
    };
    for variable in ["http_proxy", "HTTP_PROXY", "all_proxy"] {
        let before = proxy.passed().len();
        let ran = get(variable, proxy.url_for("ann", "canary")).await;
        assert_eq!((ran.code, proxy.passed().len()), (Some(0), before + 1), "{variable}: {ran:?}");
    }
    let ran = get("http_proxy", proxy.url()).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("The proxy requires a user name and a password"), "{ran:?}");
    let ran = get("http_proxy", "ftp://ann:canary@nowhere".to_owned()).await;
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("http_proxy is not the address of a proxy") && !ran.stderr.contains("canary"), "{ran:?}");
    assert_eq!(with_secrets(person.home()), Vec::<PathBuf>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn tls_failures_are_explained_and_configured_ca_certificate_is_trusted() {
    let (authority, person) = (Authority::new(), Person::new());
    let (good, expired) = (TlsOrigin::start(&authority, Shown::Good).await, TlsOrigin::start(&authority, Shown::Expired).await);
    for origin in [&good, &expired] {
        origin.file("/a.bin", "a");
    }
    let ran = person.run(["get", good.url("/a.bin").as_str()]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("is self-signed, or its issuer is not known to this computer"), "{ran:?}");
    person.settings(&format!("ca-certificate = {:?}\n", authority.file(person.home())));
    let ran = person.run(["get", good.url("/a.bin").as_str(), "-A", "Mine/1", "-e", "https://page.test/x?y"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let headers = &good.asked()[0].headers;
    assert_eq!(
        (&headers["user-agent"], &headers["referer"]),
        (&"Mine/1".parse().unwrap(), &"https://page.test/".parse().unwrap())
    );
    let ran = person.run(["get", expired.url("/a.bin").as_str()]).await;
    assert!(ran.stderr.contains("certificate has expired"), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn network_options_apply_to_one_run_and_fail_if_engine_runs() {
    let authority = Authority::new();
    let (secure, plain, proxy) = (TlsOrigin::start(&authority, Shown::Good).await, Origin::start().await, Proxy::socks5().await);
    let person = Person::new();
    secure.file("/a.bin", "a");
    secure.redirects("/down.bin", plain.url("/down.bin").as_str());
    plain.file("/down.bin", Body::bytes("down"));
    let stalled = plain.file("/stalled.bin", Body::seeded(1, 3 << 20)).stall_after(1 << 20);
    let certificate = authority.file(person.home());
    let certificate = certificate.to_str().unwrap();
    person.settings("proxy-loopback = true\nattempts = 1\n");
    let (url, down) = (secure.url_as("a.test", "/a.bin"), secure.url("/down.bin"));

    let ran = person.run(["get", url.as_str(), "--ca-certificate", certificate, "--proxy", &proxy.url()]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(proxy.passed()[0].target, format!("a.test:{}", secure.address().port()));
    let ran = person.run(["get", down.as_str(), "--ca-certificate", certificate]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ran = person.run(["get", down.as_str(), "--ca-certificate", certificate, "--allow-insecure-redirects"]).await;
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = person.run(["get", plain.url("/stalled.bin").as_str(), "--total-timeout", "2"]).await;
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("took longer than"), "{ran:?}");
    stalled.honest();
    let ran = person.run(["get", plain.url("/stalled.bin").as_str()]).await;
    assert_eq!((ran.code, person.file("stalled.bin").len()), (Some(0), 3 << 20), "{ran:?}");

    let ran = person.run(["get", url.as_str(), "--proxy", "ftp://x"]).await;
    assert!(ran.code == Some(3) && ran.stderr.contains("proxy is not the address of a proxy"), "{ran:?}");
    let (serving, _) = person.serve().await;
    let before = plain.requests().len();
    let ran = person.run(["get", plain.url("/down.bin").as_str(), "--proxy", &proxy.url()]).await;
    assert_eq!((ran.code, plain.requests().len()), (Some(2), before), "{ran:?}");
    serving.signal(Signal::TERM);
    assert_eq!(serving.end().await.code, Some(0));
}
