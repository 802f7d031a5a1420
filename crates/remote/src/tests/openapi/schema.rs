//! Converts the exported TypeScript types to JSON schemas (draft 2020-12). [pure]
//!
//! `ts-rs` writes these types from the Rust types, and tests of the exporting crates keep them up to date. Therefore the
//! schemas match the types of the answers.

use serde_json::{Map, Value, json};

/// Returns the name and the schema of the type in a file that `ts-rs` has written.
pub(super) fn exported(source: &str) -> (String, Value) {
    let place = source.find("export type ").unwrap_or_else(|| panic!("no type in {source}"));
    let description = source[..place].rsplit_once("/**").map(|(_, comment)| cleaned(comment));
    let mut parser = TypeParser { tokens: tokens(&source[place..]), place: 0 };
    parser.expect("export");
    parser.expect("type");
    let name = parser.next();
    parser.expect("=");
    let schema = parser.union();
    parser.expect(";");
    (name, with_description(schema, description))
}

/// Returns the tokens of `source`: names, texts in quotation marks, comments, and single characters.
fn tokens(source: &str) -> Vec<String> {
    let mut rest = source.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' => rest.find("*/").unwrap_or_else(|| panic!("comment without end: {rest}")) + 2,
            '"' => rest[1..].find('"').unwrap_or_else(|| panic!("text without end: {rest}")) + 2,
            letter if is_of_name(letter) => rest.find(|letter| !is_of_name(letter)).unwrap_or(rest.len()),
            other => other.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        found.push(token.to_owned());
        rest = after.trim_start();
    }
    found
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Returns the text of a comment without its stars, as one paragraph.
fn cleaned(comment: &str) -> String {
    let comment = comment.trim_start_matches("/**").trim_end().trim_end_matches("*/");
    let lines = comment.lines().map(|line| line.trim().trim_start_matches('*').trim());
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

fn with_description(schema: Value, description: Option<String>) -> Value {
    let Some(description) = description else { return schema };
    let Value::Object(mut fields) = schema else { return schema };
    fields.insert("description".to_owned(), description.into());
    Value::Object(fields)
}

struct TypeParser {
    tokens: Vec<String>,
    place: usize,
}

impl TypeParser {
    fn peek(&self) -> &str {
        self.tokens.get(self.place).map_or("", String::as_str)
    }

    fn next(&mut self) -> String {
        self.place += 1;
        self.tokens[self.place - 1].clone()
    }

    fn takes(&mut self, token: &str) -> bool {
        let is_next = self.peek() == token;
        self.place += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, token: &str) {
        assert!(self.takes(token), "{token} expected instead of {}", self.peek());
    }

    fn union(&mut self) -> Value {
        let mut members = vec![self.intersection()];
        while self.takes("|") {
            members.push(self.intersection());
        }
        if members.len() == 1 {
            return members.remove(0);
        }
        match members.iter().map(|member| member.get("const")).collect::<Option<Vec<_>>>() {
            Some(values) => json!({ "type": "string", "enum": values }),
            None => json!({ "anyOf": members }),
        }
    }

    fn intersection(&mut self) -> Value {
        let mut members = vec![self.list()];
        while self.takes("&") {
            members.push(self.list());
        }
        if members.len() == 1 { members.remove(0) } else { json!({ "allOf": members }) }
    }

    /// Parses a type, or a list in the form `Type[]`.
    fn list(&mut self) -> Value {
        let mut item = self.one();
        while self.takes("[") {
            self.expect("]");
            item = json!({ "type": "array", "items": item });
        }
        item
    }

    fn one(&mut self) -> Value {
        match self.next().as_str() {
            "{" => self.object(),
            "[" => self.tuple(),
            "(" => {
                let inside = self.union();
                self.expect(")");
                inside
            }
            "Array" => {
                self.expect("<");
                let items = self.union();
                self.expect(">");
                json!({ "type": "array", "items": items })
            }
            primitive @ ("string" | "number" | "boolean" | "null") => json!({ "type": primitive }),
            text if text.starts_with('"') => json!({ "const": text.trim_matches('"') }),
            name => json!({ "$ref": format!("#/components/schemas/{name}") }),
        }
    }

    fn tuple(&mut self) -> Value {
        let mut items = Vec::new();
        while !self.takes("]") {
            items.push(self.union());
            self.takes(",");
        }
        json!({ "type": "array", "prefixItems": items, "minItems": items.len(), "maxItems": items.len() })
    }

    fn object(&mut self) -> Value {
        if self.takes("[") {
            // A map: `[key in string]: Value`.
            self.place += 3;
            self.expect("]");
            self.takes("?");
            self.expect(":");
            let values = self.union();
            self.expect("}");
            return json!({ "type": "object", "additionalProperties": values });
        }
        let (mut properties, mut required) = (Map::new(), Vec::new());
        while !self.takes("}") {
            let comment = self.peek().starts_with("/*").then(|| cleaned(&self.next()));
            let name = self.next().trim_matches('"').to_owned();
            if !self.takes("?") {
                required.push(name.clone());
            }
            self.expect(":");
            properties.insert(name, with_description(self.union(), comment));
            self.takes(",");
        }
        json!({ "type": "object", "properties": properties, "required": required })
    }
}

#[test]
fn type_is_converted_to_schema() {
    let source = "import type { A } from \"./A\";\n\n/**\n * Text\n * of type.\n */\nexport type T = { \n/**\n * Name.\n */\na: \
                  Array<A> | null, b?: \"x\" | \"y\", c: { [key in string]: number }, d: [string, A], } & A;";
    let a = json!({ "$ref": "#/components/schemas/A" });
    let array = json!({ "anyOf": [{ "type": "array", "items": a }, { "type": "null" }], "description": "Name." });
    let properties = json!({
        "a": array,
        "b": { "type": "string", "enum": ["x", "y"] },
        "c": { "type": "object", "additionalProperties": { "type": "number" } },
        "d": { "type": "array", "prefixItems": [{ "type": "string" }, a], "minItems": 2, "maxItems": 2 },
    });
    let object = json!({ "type": "object", "properties": properties, "required": ["a", "c", "d"] });
    let expected = json!({ "allOf": [object, a], "description": "Text of type." });
    assert_eq!(exported(source), ("T".to_owned(), expected));
}
