//! Writes `docs/openapi.json` (OpenAPI 3.1), and fails if it differs from the committed file.

mod routes;
mod schema;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Map, Value, json};

use super::{page_place::PagePlace, rest::TokenClient};
use crate::{
    tests::openapi::routes::{AnswerShape, BodyShape, RouteShape, routes},
    token_scope::TokenScope,
};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the schemas of all exported types.
fn exported_types() -> BTreeMap<String, Value> {
    let files = fs::read_dir(repository().join("ui/src/api/generated")).unwrap();
    files.map(|file| schema::exported(&fs::read_to_string(file.unwrap().path()).unwrap())).collect()
}

/// Returns the schema of the parameters of a method, without the parameters in `own`. A parameter that may be null is not
/// required.
fn parameters(types: &BTreeMap<String, Value>, method: &str, own: &[&str]) -> Value {
    let calls = types["MethodCall"]["anyOf"].as_array().unwrap();
    let call = calls.iter().find(|call| call["properties"]["method"]["const"] == method).unwrap();
    let params = &call["properties"]["params"];
    let mut properties = params["properties"].as_object().unwrap().clone();
    properties.retain(|name, _| !own.contains(&name.as_str()));
    let may_be_null = |schema: &Value| schema["anyOf"].as_array().is_some_and(|all| all.contains(&json!({ "type": "null" })));
    let required: Vec<_> = params["required"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|name| properties.get(name.as_str().unwrap()).is_some_and(|schema| !may_be_null(schema)))
        .collect();
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn body(types: &BTreeMap<String, Value>, shape: BodyShape) -> Option<Value> {
    let (media_type, schema) = match shape {
        BodyShape::None => return None,
        BodyShape::Bytes => ("application/octet-stream", json!({ "type": "string" })),
        BodyShape::Message => {
            ("application/json", message(&json!({ "method": { "type": "string" }, "params": { "type": "object" } }), "method"))
        }
        BodyShape::Type(name) => ("application/json", reference(name)),
        BodyShape::Method(method, own) => ("application/json", parameters(types, method, own)),
        BodyShape::OneOf(all) => {
            let each: Vec<_> = all.iter().map(|(method, own)| parameters(types, method, own)).collect();
            ("application/json", json!({ "anyOf": each }))
        }
    };
    Some(json!({ "required": true, "content": { media_type: { "schema": schema } } }))
}

/// Returns the schema of a JSON-RPC message with these further properties.
fn message(more: &Value, required: &str) -> Value {
    let mut properties = json!({ "jsonrpc": { "const": "2.0" }, "id": { "type": ["string", "number", "null"] } });
    properties.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({ "type": "object", "properties": properties, "required": ["jsonrpc", required] })
}

fn answer(shape: AnswerShape) -> (&'static str, Value) {
    let json_of = |schema: Value| json!({ "description": "Success", "content": { "application/json": { "schema": schema } } });
    match shape {
        AnswerShape::None => ("204", json!({ "description": "Success" })),
        AnswerShape::Type(name) => ("200", json_of(reference(name))),
        AnswerShape::List(name) => ("200", json_of(json!({ "type": "array", "items": reference(name) }))),
        AnswerShape::Page => {
            let properties = json!({
                "downloads": { "type": "array", "items": reference("Registration") },
                "next": { "type": ["string", "null"], "description": "Value of `before` for the next page." },
            });
            ("200", json_of(json!({ "type": "object", "properties": properties, "required": ["downloads", "next"] })))
        }
        AnswerShape::Retried => {
            let properties = json!({ "retried": { "type": "integer" } });
            ("200", json_of(json!({ "type": "object", "properties": properties, "required": ["retried"] })))
        }
        AnswerShape::Stored => {
            let properties = json!({ "id": { "type": "string" }, "size": { "type": "integer" } });
            ("201", json_of(json!({ "type": "object", "properties": properties, "required": ["id", "size"] })))
        }
        AnswerShape::Message => {
            let error = json!({
                "type": "object",
                "properties": { "code": { "type": "integer" }, "message": { "type": "string" }, "data": reference("UserMessage") },
                "required": ["code", "message", "data"],
            });
            ("200", json_of(message(&json!({ "result": {}, "error": error }), "id")))
        }
        AnswerShape::Text(media_type) => {
            let content = json!({ media_type: { "schema": { "type": "string" } } });
            ("200", json!({ "description": "Success", "content": content }))
        }
    }
}

fn operation(types: &BTreeMap<String, Value>, route: &RouteShape) -> Value {
    let parameter = |name: &str, place: &str, kind: &str, text: &str| {
        let schema = json!({ "type": kind });
        json!({ "name": name, "in": place, "required": place == "path", "schema": schema, "description": text })
    };
    let mut all: Vec<Value> = Vec::new();
    if route.path.contains("{id}") {
        all.push(parameter("id", "path", "string", "`unique_id` of the download."));
    }
    if route.path.contains("{key}") {
        all.push(parameter("key", "path", "string", "Key of the setting."));
    }
    all.extend(route.query.iter().map(|(name, kind, text)| parameter(name, "query", kind, text)));
    let (status, success) = answer(route.answer);
    let mut responses = Map::new();
    responses.insert(status.to_owned(), success.clone());
    if route.name == "createDownload" {
        all.push(parameter("Idempotency-Key", "header", "string", "Name that the program gives to the download."));
        responses.insert("201".to_owned(), success);
    }
    if route.answer == AnswerShape::Message {
        responses.insert("204".to_owned(), json!({ "description": "Success" }));
    }
    let mut operation = json!({ "operationId": route.name, "summary": route.summary, "parameters": all });
    match route.scope {
        "" => operation["security"] = json!([]),
        scope => {
            operation["description"] = format!("Scope: {scope}.").into();
            let problem = json!({ "application/problem+json": { "schema": reference("Problem") } });
            responses.insert("default".to_owned(), json!({ "description": "Refusal", "content": problem }));
        }
    }
    operation["responses"] = responses.into();
    if let Some(body) = body(types, route.body) {
        operation["requestBody"] = body;
    }
    operation
}

/// Adds the types that `value` refers to, directly or through other types.
fn add_used(types: &BTreeMap<String, Value>, value: &Value, used: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(fields) => {
            let name = fields.get("$ref").and_then(Value::as_str).and_then(|path| path.rsplit('/').next());
            if let Some(name) = name
                && !used.contains_key(name)
            {
                used.insert(name.to_owned(), types[name].clone());
                add_used(types, &types[name], used);
            }
            fields.values().for_each(|field| add_used(types, field, used));
        }
        Value::Array(items) => items.iter().for_each(|item| add_used(types, item, used)),
        _ => {}
    }
}

fn document() -> Value {
    let mut types = exported_types();
    // Only `requests` is required: the server sets the owner, and all other fields have defaults.
    let required = json!(["requests"]);
    types.get_mut("NewRegistration").unwrap()["required"] = required;
    let fields = json!({ "type": { "type": "string" }, "status": { "type": "integer" }, "detail": { "type": "string" } });
    let fields = json!({ "type": "object", "properties": fields, "required": ["type", "status", "detail"] });
    let problem = json!({ "allOf": [reference("UserMessage"), fields], "description": "Refusal (RFC 9457)." });
    types.insert("Problem".to_owned(), problem);
    let mut paths: Map<String, Value> = Map::new();
    for route in routes() {
        let operations = paths.entry(route.path).or_insert_with(|| json!({}));
        operations[route.method] = operation(&types, &route);
    }
    let mut used = BTreeMap::new();
    let paths = Value::Object(paths);
    add_used(&types, &paths, &mut used);
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Ashore",
            "version": "1",
            "description": "REST interface of `ashore serve --remote`. docs/remote.md describes it.",
        },
        "servers": [{ "url": "http://127.0.0.1:6800" }],
        "security": [{ "token": [] }],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "token": { "type": "http", "scheme": "bearer", "description": "Token of `ashore remote token --name NAME`." },
            },
            "schemas": used,
        },
    })
}

#[test]
fn openapi_document_matches_exported_types() {
    let path = repository().join("docs/openapi.json");
    let (expected, committed) = (document(), fs::read_to_string(&path).unwrap_or_default());
    // Compare parsed values, because the order of fields depends on the Cargo features that other crates enable.
    if serde_json::from_str::<Value>(&committed).ok().as_ref() != Some(&expected) {
        fs::write(&path, serde_json::to_string_pretty(&expected).unwrap() + "\n").unwrap();
        panic!("docs/openapi.json was not up to date; it is now, so commit it");
    }
}

#[tokio::test]
async fn every_documented_route_exists_and_needs_sign_in() {
    let place = PagePlace::new().await;
    let client = TokenClient::new(&place, TokenScope::Control);
    for route in routes() {
        let path = route.path.replace("{id}", "7").replace("{key}", "parallel");
        let answered = place.ask(&route.method.to_uppercase(), &path[1..], &[], b"").await;
        let expected = if route.scope.is_empty() { 204 } else { 401 };
        assert_eq!(answered.status, expected, "{} {path}", route.method);
    }
    // Check one described shape against a real answer.
    let page = client.get("api/v1/downloads").await;
    assert_eq!(page, json!({ "downloads": [], "next": null }));
}
