//! Access to the aria2 interface: tokens of programs, `Host`, `Origin`, cookies, and addresses in the local network.

use serde_json::{Value, json};

use crate::{
    server::LIMITS,
    tests::page_place::{ALLOWED_ORIGIN, HttpAnswer, PagePlace},
    token_scope::TokenScope,
};

/// Calls a method of the aria2 interface with a token. Returns its result, or its error.
async fn call(place: &PagePlace, token: &str, method: &str, params: Value) -> Value {
    let Value::Array(mut params) = params else { panic!("{params}") };
    params.insert(0, json!(format!("token:{token}")));
    let answered = post(place, &[], method, &Value::Array(params)).await;
    let mut answer = answered.json();
    let key = if answered.status == 200 { "result" } else { "error" };
    answer[key].take()
}

async fn post(place: &PagePlace, headers: &[(&str, &str)], method: &str, params: &Value) -> HttpAnswer {
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    place.ask("POST", "jsonrpc", headers, call.to_string().as_bytes()).await
}

fn refused(message: &str) -> Value {
    json!({ "code": 1, "message": message })
}

#[tokio::test]
async fn program_token_permits_calls_of_its_scope() {
    let place = PagePlace::new().await;
    let token = |name: &str, scope| place.program_token(name, scope);
    let [control, add] = [token("a", TokenScope::Control), token("b", TokenScope::Add)];
    let [read, metrics] = [token("c", TokenScope::Read), token("d", TokenScope::Metrics)];
    let add_call = json!([["http://files.example/a"], { "pause": "true" }]);
    for (token, may_read, may_add, may_control) in [
        (control.as_str(), true, true, true),
        (&add, true, true, false),
        (&read, true, false, false),
        (&metrics, false, false, false),
        (&place.token(), false, false, false),
        ("wrong", false, false, false),
    ] {
        let is_permitted = async |method, params| call(&place, token, method, params).await != refused("Unauthorized");
        assert_eq!(is_permitted("aria2.getVersion", json!([])).await, may_read, "{token}");
        assert_eq!(is_permitted("aria2.addUri", add_call.clone()).await, may_add, "{token}");
        assert_eq!(is_permitted("aria2.pauseAll", json!([])).await, may_control, "{token}");
    }
    let unsigned = post(&place, &[], "aria2.getVersion", &json!([])).await;
    assert_eq!((unsigned.status, &unsigned.json()["error"]), (400, &refused("Unauthorized")));
}

#[tokio::test]
async fn device_cookie_and_bearer_token_permit_no_aria2_call() {
    let place = PagePlace::new().await;
    let device = place.sign_in().await;
    let bearer = format!("Bearer {}", place.program_token("a", TokenScope::Control));
    let headers = [("Cookie", device.cookie.as_str()), ("Ashore-Key", &device.key), ("Authorization", &bearer)];
    let answered = post(&place, &headers, "aria2.getVersion", &json!([])).await;
    assert_eq!(answered.json()["error"], refused("Unauthorized"));
}

#[tokio::test]
async fn aria2_call_from_foreign_origin_or_for_foreign_host_is_refused() {
    let place = PagePlace::new().await;
    let params = json!([format!("token:{}", place.program_token("a", TokenScope::Read))]);
    let status = async |headers: &[(&str, &str)]| post(&place, headers, "aria2.getVersion", &params).await.status;
    assert_eq!(status(&[("Origin", "https://attacker.example")]).await, 403);
    assert_eq!(status(&[("Origin", "null")]).await, 403);
    assert_eq!(status(&[("Host", "attacker.example")]).await, 421);
    assert_eq!(status(&[("Origin", &format!("http://{}", place.address()))]).await, 200);
    let preflight = place.ask("OPTIONS", "jsonrpc", &[("Origin", "https://attacker.example")], b"").await;
    assert_eq!((preflight.status, preflight.headers.get("access-control-allow-origin")), (403, None));
}

#[tokio::test]
async fn page_of_allowed_origin_may_call_and_read_the_answer() {
    let place = PagePlace::new().await;
    let origin = [("Origin", ALLOWED_ORIGIN)];
    let preflight = place.ask("OPTIONS", "jsonrpc", &origin, b"").await;
    assert_eq!((preflight.status, preflight.headers["access-control-allow-methods"].as_str()), (204, "POST"));
    let answered = post(&place, &origin, "system.listMethods", &json!([])).await;
    for answered in [&preflight, &answered] {
        assert_eq!(answered.headers["access-control-allow-origin"], ALLOWED_ORIGIN);
        assert_eq!(answered.headers["vary"], "Origin");
        assert!(!answered.headers.contains_key("access-control-allow-credentials"));
    }
    assert_eq!(answered.status, 200);
}

#[tokio::test]
async fn aria2_route_is_below_base_path_and_accepts_only_post_requests() {
    let place = PagePlace::with(LIMITS, "/ashore/").await;
    for (method, status) in [("GET", 405), ("HEAD", 405), ("OPTIONS", 405), ("PUT", 405)] {
        assert_eq!(place.ask(method, "jsonrpc?method=aria2.getVersion&id=1", &[], b"").await.status, status, "{method}");
    }
    assert_eq!(post(&place, &[], "system.listMethods", &json!([])).await.status, 200);
}

#[tokio::test]
async fn call_in_xml_is_answered_in_xml() {
    let place = PagePlace::new().await;
    let token = place.program_token("a", TokenScope::Read);
    let call = |method: &str, value: &str| {
        let param = format!("<param><value><string>{value}</string></value></param>");
        format!("<methodCall><methodName>{method}</methodName><params>{param}</params></methodCall>")
    };
    let post = async |body: &str| place.ask("POST", "rpc", &[], body.as_bytes()).await;
    let answered = post(&call("aria2.getVersion", &format!("token:{token}"))).await;
    let text = String::from_utf8(answered.body.clone()).unwrap();
    assert!(text.contains("<member><name>version</name><value><string>1.36.0</string></value></member>"), "{text}");
    assert_eq!((answered.status, answered.headers["content-type"].as_str()), (200, "text/xml"));
    let refused = post(&call("aria2.getVersion", "token:wrong")).await;
    assert_eq!(refused.status, 200);
    assert!(String::from_utf8(refused.body).unwrap().contains("<value><string>Unauthorized</string></value>"));
    let long = " ".repeat((2 << 20) + 1);
    for body in ["", "<methodCall>", &long] {
        assert_eq!(post(body).await.status, 400);
    }
    assert_eq!(place.ask("GET", "rpc", &[], b"").await.status, 405);
    assert_eq!(place.ask("POST", "rpc", &[("Origin", "https://attacker.example")], b"").await.status, 403);
}

#[tokio::test]
async fn aria2_download_does_not_reach_local_address() {
    let place = PagePlace::new().await;
    let token = place.program_token("a", TokenScope::Add);
    let gid = call(&place, &token, "aria2.addUri", json!([["http://127.0.0.1:40000/a"]])).await;
    assert!(gid.is_string(), "{gid}");
    let status = loop {
        let status = call(&place, &token, "aria2.tellStatus", json!([gid, ["status", "errorMessage"]])).await;
        if status["status"] == "error" {
            break status;
        }
        // Poll, because no call of the aria2 interface waits until a download ends.
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    };
    assert!(status["errorMessage"].as_str().unwrap().contains("in a local network"), "{status}");
}
