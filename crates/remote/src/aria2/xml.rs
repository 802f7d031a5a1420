//! Parses calls in XML-RPC, and composes their answers. [pure]
//!
//! - A call in XML becomes the same `Aria2Call` as a call in JSON. Base64 stays text, as in aria2's JSON calls.
//! - A malicious document cannot exhaust memory or time: a document type is refused, so no entity is expanded, and the
//!   nesting has a limit.

use quick_xml::{
    Reader,
    escape::{escape, resolve_predefined_entity},
    events::{BytesRef, Event},
};
use serde_json::{Map, Value};

use crate::aria2::wire::{Aria2Call, Aria2Failure, MOST_VALUES};

/// Maximum depth of nested elements in a request. Each level of a nested value has up to four nested elements.
const MOST_NESTED: usize = 256;
const DECLARATION: &str = "<?xml version=\"1.0\"?>";

/// Element with its text and the elements inside it.
#[derive(Debug, Default)]
struct XmlElement {
    name: String,
    text: String,
    children: Vec<Self>,
}

impl XmlElement {
    fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

/// Parses the body of a request. Returns `None` if it is not a call in XML-RPC.
pub(crate) fn parse(body: &[u8]) -> Option<Aria2Call> {
    let document = tree(std::str::from_utf8(body).ok()?)?;
    let call = document.child("methodCall")?;
    let method = call.child("methodName")?.text.trim().to_owned();
    let params = call.child("params").into_iter().flat_map(|params| params.all("param"));
    let params = params.map(|param| value(param.child("value")?)).collect::<Option<_>>()?;
    Some(Aria2Call { id: Value::Null, method, params })
}

/// Returns an element that contains the root element of the document. Returns `None` if the text is not XML.
fn tree(text: &str) -> Option<XmlElement> {
    let mut reader = Reader::from_str(text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']));
    reader.config_mut().expand_empty_elements = true;
    let mut open = vec![XmlElement::default()];
    let mut elements = 0;
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) if open.len() <= MOST_NESTED && elements < MOST_VALUES => {
                elements += 1;
                open.push(XmlElement { name: start.name().as_ref().to_owned(), ..XmlElement::default() });
            }
            Event::End(_) => {
                let closed = open.pop()?;
                open.last_mut()?.children.push(closed);
            }
            Event::Text(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
            Event::CData(text) => open.last_mut()?.text.push_str(&text.into_inner()),
            Event::GeneralRef(reference) => open.last_mut()?.text.push_str(&resolve(&reference)?),
            Event::Eof if open.len() == 1 => return open.pop(),
            Event::Start(_) | Event::Eof | Event::DocType(_) => return None,
            Event::Empty(_) | Event::Comment(_) | Event::Decl(_) | Event::PI(_) => {}
        }
    }
}

/// Resolves a numeric character reference, or one of the five predefined entities.
fn resolve(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref().ok()? {
        Some(character) => Some(character.to_string()),
        None => resolve_predefined_entity(reference).map(str::to_owned),
    }
}

/// Reads a value. Returns `None` if its type is unknown or its text is not valid.
fn value(element: &XmlElement) -> Option<Value> {
    // A value without a type is text.
    let Some(typed) = element.children.first() else { return Some(Value::String(element.text.clone())) };
    Some(match typed.name.as_str() {
        "string" | "base64" | "dateTime.iso8601" => Value::String(typed.text.clone()),
        "int" | "i4" | "i8" => typed.text.trim().parse::<i64>().ok()?.into(),
        "double" => typed.text.trim().parse::<f64>().ok()?.into(),
        "boolean" => Value::Bool(matches!(typed.text.trim(), "1" | "true")),
        "nil" => Value::Null,
        "array" => Value::Array(typed.child("data")?.all("value").map(value).collect::<Option<_>>()?),
        "struct" => {
            let member = |member: &XmlElement| Some((member.child("name")?.text.clone(), value(member.child("value")?)?));
            Value::Object(typed.all("member").map(member).collect::<Option<Map<_, _>>>()?)
        }
        _ => return None,
    })
}

/// Returns the answer to a call of `method`.
pub(crate) fn answer(method: &str, result: Result<Value, Aria2Failure>) -> String {
    let mut text = format!("{DECLARATION}<methodResponse>");
    match result {
        Ok(Value::Array(results)) if method == "system.multicall" => {
            // A multicall wraps each successful result in a list, so an object is the failure of a call.
            let results = results.into_iter().map(|result| if result.is_object() { fault(&result) } else { result });
            write_params(&mut text, &results.collect());
        }
        Ok(result) => write_params(&mut text, &result),
        Err(failure) => {
            text.push_str("<fault>");
            write_value(&mut text, &fault(&failure.into_value()));
            text.push_str("</fault>");
        }
    }
    text.push_str("</methodResponse>");
    text
}

/// Converts a failure from the form of JSON-RPC to the form of XML-RPC.
fn fault(failure: &Value) -> Value {
    serde_json::json!({ "faultCode": failure["code"], "faultString": failure["message"] })
}

fn write_params(text: &mut String, result: &Value) {
    text.push_str("<params><param>");
    write_value(text, result);
    text.push_str("</param></params>");
}

fn write_value(text: &mut String, value: &Value) {
    text.push_str("<value>");
    match value {
        Value::Null => text.push_str("<nil/>"),
        Value::Bool(flag) => write_typed(text, "boolean", if *flag { "1" } else { "0" }),
        Value::Number(number) => write_typed(text, if number.is_f64() { "double" } else { "int" }, &number.to_string()),
        Value::String(content) => write_typed(text, "string", content),
        Value::Array(values) => {
            text.push_str("<array><data>");
            values.iter().for_each(|value| write_value(text, value));
            text.push_str("</data></array>");
        }
        Value::Object(members) => {
            text.push_str("<struct>");
            for (name, value) in members {
                text.push_str("<member>");
                write_typed(text, "name", name);
                write_value(text, value);
                text.push_str("</member>");
            }
            text.push_str("</struct>");
        }
    }
    text.push_str("</value>");
}

fn write_typed(text: &mut String, kind: &str, content: &str) {
    // XML cannot contain these characters, not even as references.
    let is_permitted =
        |character: char| matches!(character, '\t' | '\n' | '\r' | ' '..) && !matches!(character, '\u{fffe}' | '\u{ffff}');
    let content: String = content.chars().map(|character| if is_permitted(character) { character } else { '\u{fffd}' }).collect();
    text.push_str(&format!("<{kind}>{}</{kind}>", escape(content)));
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Parses a call with this single parameter, and returns the value of the parameter.
    fn read(value: &str) -> Option<Value> {
        let text = format!("<methodCall><methodName>a</methodName><params><param>{value}</param></params></methodCall>");
        parse(text.as_bytes()).map(|call| call.params.into_iter().next().unwrap())
    }

    #[test]
    fn values_of_xml_become_values_of_json() {
        for (xml, expected) in [
            ("<value> a &amp; &#x42;<![CDATA[<c>]]></value>", json!(" a & B<c>")),
            ("<value><string/></value>", json!("")),
            ("<value><int> -5 </int></value>", json!(-5)),
            ("<value><i4>5</i4></value>", json!(5)),
            ("<value><double>1.5</double></value>", json!(1.5)),
            ("<value><boolean>1</boolean></value>", json!(true)),
            ("<value><base64>YWJj</base64></value>", json!("YWJj")),
            ("<value>\n <array><data><value>a</value><value><int>1</int></value></data></array></value>", json!(["a", 1])),
            ("<value><struct><member><name>a</name><value>b</value></member></struct></value>", json!({ "a": "b" })),
            ("<value><struct></struct></value>", json!({})),
        ] {
            assert_eq!(read(xml), Some(expected), "{xml}");
        }
    }

    #[test]
    fn call_without_parameters_is_read() {
        for text in [
            "<?xml version='1.0'?>\n<methodCall><methodName>aria2.getVersion</methodName><params/></methodCall>",
            "\u{feff}<methodCall><!-- x --><methodName>\naria2.getVersion </methodName></methodCall>\n",
        ] {
            let call = parse(text.as_bytes()).unwrap();
            assert_eq!((call.method.as_str(), call.params.len()), ("aria2.getVersion", 0));
        }
    }

    #[test]
    fn document_that_is_not_a_call_is_refused() {
        let deep = format!("{}{}", "<a>".repeat(300), "</a>".repeat(300));
        let entity = "<!DOCTYPE a [<!ENTITY b \"c\">]><methodCall><methodName>&b;</methodName></methodCall>";
        for text in [
            "",
            "garbage",
            "<a/>",
            "<methodCall>",
            "<methodCall></a>",
            "<methodCall><params/></methodCall>",
            "<methodCall><methodName>&b;</methodName></methodCall>",
            entity,
            &deep,
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse(b"\xff"), None);
        for value in ["<value><int>x</int></value>", "<value><other/></value>", "<value><array/></value>", "<data/>"] {
            assert_eq!(read(value), None, "{value}");
        }
    }

    #[test]
    fn document_with_too_many_elements_is_refused() {
        let document = |number| format!("<methodCall><methodName>a</methodName>{}</methodCall>", "<a/>".repeat(number));
        assert!(parse(document(MOST_VALUES - 2).as_bytes()).is_some());
        assert_eq!(parse(document(MOST_VALUES - 1).as_bytes()), None);
    }

    #[test]
    fn random_bytes_never_panic() {
        use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
        let mut random = StdRng::seed_from_u64(1);
        let valid =
            b"<methodCall><methodName>a</methodName><params><param><value><array><data><value>&amp;</value></data></array>\
                      </value></param></params></methodCall>";
        for _ in 0..20_000 {
            let mut body = valid.to_vec();
            for _ in 0..random.random_range(1..6) {
                let at = random.random_range(0..body.len());
                body[at] = random.random();
            }
            drop(parse(&body));
        }
    }

    #[test]
    fn result_is_written_with_types_and_escaped_text() {
        let result = json!({ "a": ["<&>\u{1}", 5], "b": true });
        let list = "<array><data><value><string>&lt;&amp;&gt;\u{fffd}</string></value><value><int>5</int></value></data></array>";
        let members = format!(
            "<member><name>a</name><value>{list}</value></member>\
             <member><name>b</name><value><boolean>1</boolean></value></member>"
        );
        let params = format!("<params><param><value><struct>{members}</struct></value></param></params>");
        let expected = format!("<?xml version=\"1.0\"?><methodResponse>{params}</methodResponse>");
        assert_eq!(answer("a", Ok(result)), expected);
    }

    #[test]
    fn failure_is_written_as_fault() {
        let fault = "<value><struct><member><name>faultCode</name><value><int>1</int></value></member>\
                     <member><name>faultString</name><value><string>no</string></value></member></struct></value>";
        let expected = format!("<?xml version=\"1.0\"?><methodResponse><fault>{fault}</fault></methodResponse>");
        assert_eq!(answer("a", Err(Aria2Failure::new("no"))), expected);
        let results = json!([["OK"], { "code": 1, "message": "no" }]);
        assert!(answer("system.multicall", Ok(results)).contains(fault));
    }
}
