//! The JSON formats in which a result is passed to other programs. Each contains the secrets in clear text.

use serde_json::{Value, json};

use super::{COMMAND_LIMIT, Delivery};
use crate::configuration::LIMIT;

impl Delivery {
    /// Returns one object with everything; `cse` is absent on a route without a CSE command.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut size = json!({"customData": self.custom_data.encoded.expose().len(), "limit": LIMIT});
        let mut object = json!({"route": self.route.name(), "os": self.os.name});
        object["customData"] = self.custom_data.encoded.expose().into();
        if let Some(cse) = &self.cse {
            object["cse"] = cse.expose().into();
            size["cse"] = cse.expose().len().into();
            size["cseLimit"] = COMMAND_LIMIT.into();
        }
        if let Some(secrets) = self.secrets {
            object["secrets"] = secrets.name().into();
        }
        object["size"] = size;
        object
    }

    /// Returns a flat map of strings, as Terraform's `external` data source expects it. `cse` is empty on a route without a CSE command.
    #[must_use]
    pub fn to_terraform(&self) -> Value {
        let cse = self.cse.as_ref().map_or("", |cse| cse.expose());
        json!({
            "route": self.route.name(),
            "os": self.os.name,
            "customData": self.custom_data.encoded.expose(),
            "customDataSize": self.custom_data.encoded.expose().len().to_string(),
            "cse": cse,
            "cseSize": cse.len().to_string(),
        })
    }
}
