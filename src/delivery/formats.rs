//! The JSON shapes in which a result is passed to other programs. Each contains the secrets in clear.

use serde_json::{Value, json};

use super::{COMMAND_LIMIT, Delivery};
use crate::configuration::LIMIT;

impl Delivery {
    /// Returns one object with everything; `cse` is absent on a route without a CSE command.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut size = json!({"customData": self.custom_data.encoded.expose().len(), "limit": LIMIT});
        let mut object = json!({"route": self.route.row().name, "os": self.os.name});
        object["customData"] = self.custom_data.encoded.expose().into();
        if let Some(cse) = &self.cse {
            object["cse"] = cse.expose().into();
            size["cse"] = cse.expose().len().into();
            size["cseLimit"] = COMMAND_LIMIT.into();
        }
        object["size"] = size;
        object
    }

    /// Writes the text of [`Delivery::to_json`] on one line.
    #[cfg(feature = "cli")]
    pub(crate) fn write_json(&self, text: &mut Vec<u8>) {
        let encoded = self.custom_data.encoded.expose();
        let mut size = format!("\"customData\":{},\"limit\":{LIMIT}}}}}", encoded.len());
        text.push(b'{');
        if let Some(cse) = &self.cse {
            size = format!("\"cse\":{},\"cseLimit\":{COMMAND_LIMIT},{size}", cse.expose().len());
            text.extend(b"\"cse\":");
            serde_json::to_writer(&mut *text, cse.expose()).expect("writing to memory does not fail");
            text.push(b',');
        }
        // Base64 and names have no characters that JSON escapes.
        let (os, route) = (self.os.name, self.route.row().name);
        for part in ["\"customData\":\"", encoded, "\",\"os\":\"", os, "\",\"route\":\"", route, "\",\"size\":{", &size]
        {
            text.extend_from_slice(part.as_bytes());
        }
    }

    /// Returns the fragment of a scale set's ARM model that carries the result.
    #[must_use]
    pub fn to_arm(&self) -> Value {
        let mut profile = json!({"osProfile": {"customData": self.custom_data.encoded.expose()}});
        if let Some(cse) = &self.cse {
            profile["extensionProfile"] = json!({"extensions": [{
                "name": "vmssCSE",
                "properties": {
                    "publisher": "Microsoft.Azure.Extensions",
                    "type": "CustomScript",
                    "typeHandlerVersion": "2.0",
                    "autoUpgradeMinorVersion": true,
                    "settings": {},
                    "protectedSettings": {"commandToExecute": cse.expose()},
                },
            }]});
        }
        profile
    }

    /// Returns a flat map of strings, as Terraform's `external` data source expects it.
    #[must_use]
    pub fn to_terraform(&self) -> Value {
        let mut map = json!({
            "route": self.route.row().name,
            "os": self.os.name,
            "customData": self.custom_data.encoded.expose(),
            "customDataSize": self.custom_data.encoded.expose().len().to_string(),
        });
        if let Some(cse) = &self.cse {
            map["cse"] = cse.expose().into();
            map["cseSize"] = cse.expose().len().to_string().into();
        }
        map
    }
}

#[cfg(all(test, feature = "cli"))]
mod tests {
    use crate::configuration::Configuration;
    use crate::delivery::{Request, Route};

    #[test]
    fn the_line_of_a_result_is_its_object() {
        let document = include_bytes!("../../benches/document.json");
        let configuration = Configuration::from_document(document).expect("it decodes").configuration;
        for route in Route::ALL {
            let delivery = Request { route, ..Request::default() }.render(&configuration).expect("it renders");
            let mut line = Vec::new();
            delivery.write_json(&mut line);
            assert_eq!(String::from_utf8(line), Ok(delivery.to_json().to_string()));
        }
    }
}
