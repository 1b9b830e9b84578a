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

    /// Returns the fragment of a scale set's ARM model that contains the result.
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
            "route": self.route.name(),
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
