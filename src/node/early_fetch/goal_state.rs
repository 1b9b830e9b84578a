//! The goal state of the wire server: the names of the VM and where its configurations are.

use super::xml::{self, Element};

/// What a fetch needs of the goal state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct GoalState {
    /// The id of the container, which the host's plugin wants to see.
    pub container_id: String,
    /// The name of the configuration, which the host's plugin wants to see.
    pub config_name: String,
    /// URL of the extensions config.
    pub extensions_config: Option<String>,
    /// URL of the certificates.
    pub certificates: Option<String>,
}

impl GoalState {
    /// Reads a goal state.
    ///
    /// # Errors
    /// Fails if it is not XML, or has no container id or no configuration with a name.
    pub fn parse(document: &[u8]) -> Result<Self, &'static str> {
        const CONFIGURATION: &str = "Configuration";
        let (mut container_id, mut configuration) = (None, None);
        let mut current = Configuration::default();
        xml::read(document, |element| {
            let own = |element: &Element| Some(element.text.trim().to_owned()).filter(|text| !text.is_empty());
            if element.is(&["GoalState", "Container", "ContainerId"]) {
                container_id = container_id.take().or_else(|| own(element));
            } else if element.is(&["RoleInstance", CONFIGURATION, "ConfigName"]) {
                current.name = own(element);
            } else if element.is(&["RoleInstance", CONFIGURATION, "ExtensionsConfig"]) {
                current.extensions = own(element);
            } else if element.is(&["RoleInstance", CONFIGURATION, "Certificates"]) {
                current.certificates = own(element);
            } else if element.is(&["RoleInstance", CONFIGURATION]) {
                configuration.get_or_insert_with(|| std::mem::take(&mut current));
            }
        })?;
        let configuration: Configuration = configuration.ok_or("has no RoleInstance with a Configuration")?;
        Ok(Self {
            container_id: container_id.ok_or("has no ContainerId")?,
            config_name: configuration.name.ok_or("has no ConfigName")?,
            extensions_config: configuration.extensions,
            certificates: configuration.certificates,
        })
    }
}

/// The members of a `Configuration` element.
#[derive(Default)]
struct Configuration {
    name: Option<String>,
    extensions: Option<String>,
    certificates: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>
<GoalState xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" xsi:noNamespaceSchemaLocation=\"goalstate10.xsd\">
  <Version>2012-11-30</Version>
  <Container>
    <ContainerId> 7db6fcb6-9911-4da4-8687 </ContainerId>
    <RoleInstanceList>
      <RoleInstance>
        <InstanceId>00abac54._kvm03</InstanceId>
        <Configuration>
          <ExtensionsConfig>http://168.63.129.16:80/machine/7db6?comp=config&amp;type=extensionsConfig&amp;incarnation=3</ExtensionsConfig>
          <Certificates>
            http://168.63.129.16:80/machine/7db6?comp=certificates&amp;incarnation=3
          </Certificates>
          <ConfigName>00abac54.2._1.xml</ConfigName>
        </Configuration>
      </RoleInstance>
      <RoleInstance><Configuration><ConfigName>second</ConfigName></Configuration></RoleInstance>
    </RoleInstanceList>
  </Container>
</GoalState>";

    #[test]
    fn the_first_configuration_counts() {
        let goal_state = GoalState::parse(DOCUMENT.as_bytes()).expect("valid");
        assert_eq!(
            goal_state,
            GoalState {
                container_id: "7db6fcb6-9911-4da4-8687".to_owned(),
                config_name: "00abac54.2._1.xml".to_owned(),
                extensions_config: Some(
                    "http://168.63.129.16:80/machine/7db6?comp=config&type=extensionsConfig&incarnation=3".to_owned()
                ),
                certificates: Some("http://168.63.129.16:80/machine/7db6?comp=certificates&incarnation=3".to_owned()),
            }
        );
    }

    #[test]
    fn a_goal_state_has_the_names_of_the_vm() {
        for (name, error) in [
            ("ContainerId", "has no ContainerId"),
            ("ConfigName", "has no ConfigName"),
            ("RoleInstance", "has no RoleInstance with a Configuration"),
        ] {
            let without = DOCUMENT.replace(&format!("{name}>"), "Other>");
            assert_eq!(GoalState::parse(without.as_bytes()), Err(error));
        }
        assert!(GoalState::parse(b"<html><body>proxy login</body></html>").is_err());
    }

    #[test]
    fn a_part_of_a_goal_state_is_none() {
        for end in 0..DOCUMENT.len() {
            assert!(GoalState::parse(&DOCUMENT.as_bytes()[..end]).is_err(), "{end}");
        }
    }
}
