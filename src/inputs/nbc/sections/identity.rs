//! Identities: of the node towards Azure and Kubernetes, of its users, and the certificates that it trusts.

use crate::configuration::BootstrappingAuthMethod;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::fields::request as field;

pub(super) fn convert(conversion: &mut Conversion<'_, '_>) {
    azure(conversion);
    certificates(conversion);
    bootstrapping(conversion);
    search_domain(conversion);
    users(conversion);
}

fn azure(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::TENANT_ID, target!(auth_config.tenant_id));
    conversion.copy(field::SUBSCRIPTION_ID, target!(auth_config.subscription_id));
    conversion.copy(field::USER_ASSIGNED_IDENTITY_CLIENT_ID, target!(auth_config.assigned_identity_id));
    conversion.copy(field::USE_MANAGED_IDENTITY, target!(auth_config.use_managed_identity_extension));
    conversion.copy(field::SERVICE_PRINCIPAL_CLIENT_ID, target!(auth_config.service_principal_id));
    conversion.encode(field::SERVICE_PRINCIPAL_SECRET, target!(auth_config.service_principal_secret));
    conversion.copy(field::IMAGE_PULL_ENABLED, target!(service_account_image_pull_profile.enabled));
    conversion.copy(field::IMAGE_PULL_CLIENT_ID, target!(service_account_image_pull_profile.default_client_id));
    conversion.copy(field::IMAGE_PULL_TENANT_ID, target!(service_account_image_pull_profile.default_tenant_id));
    conversion
        .copy(field::IMAGE_PULL_LOCAL_AUTHORITY_SNI, target!(service_account_image_pull_profile.local_authority_sni));
}

fn certificates(conversion: &mut Conversion<'_, '_>) {
    conversion.encode(field::CA_CERTIFICATE, target!(kubernetes_ca_cert));
    conversion.encode(field::API_SERVER_CERTIFICATE, target!(api_server_config.api_server_public_key));
    conversion.encode(field::CLIENT_PRIVATE_KEY, target!(kubelet_config.kubelet_client_key));
    conversion.encode(field::CLIENT_CERTIFICATE, target!(kubelet_config.kubelet_client_cert_content));
    conversion.copy(field::CUSTOM_CA_TRUST_CERTS, target!(custom_ca_certs));
}

fn bootstrapping(conversion: &mut Conversion<'_, '_>) {
    let is_secure = conversion.document.switch(field::SECURE_TLS_ENABLED);
    if is_secure || conversion.document.has(field::KUBELET_CLIENT_TLS_BOOTSTRAP_TOKEN) {
        let method = if is_secure {
            BootstrappingAuthMethod::SecureTlsBootstrapping
        } else {
            BootstrappingAuthMethod::BootstrapToken
        };
        let origin = conversion
            .computed_from(&[field::SECURE_TLS_ENABLED.number(), field::KUBELET_CLIENT_TLS_BOOTSTRAP_TOKEN.number()]);
        conversion.set(target!(bootstrapping_config.bootstrapping_auth_method), method, origin);
    }
    conversion.copy(field::KUBELET_CLIENT_TLS_BOOTSTRAP_TOKEN, target!(bootstrapping_config.tls_bootstrapping_token));
    conversion
        .copy(field::SECURE_TLS_AAD_RESOURCE, target!(bootstrapping_config.secure_tls_bootstrapping_aad_resource));
    conversion.copy(
        field::SECURE_TLS_USER_ASSIGNED_IDENTITY_ID,
        target!(bootstrapping_config.secure_tls_bootstrapping_user_assigned_identity_id),
    );
    conversion.copy(
        field::SECURE_TLS_CLIENT_DOWNLOAD_URL,
        target!(bootstrapping_config.secure_tls_bootstrapping_custom_client_download_url),
    );
    conversion.copy(
        field::SECURE_TLS_VALIDATE_KUBECONFIG_TIMEOUT,
        target!(bootstrapping_config.secure_tls_bootstrapping_validate_kubeconfig_timeout),
    );
    conversion.copy(
        field::SECURE_TLS_GET_ACCESS_TOKEN_TIMEOUT,
        target!(bootstrapping_config.secure_tls_bootstrapping_get_access_token_timeout),
    );
    conversion.copy(
        field::SECURE_TLS_GET_INSTANCE_DATA_TIMEOUT,
        target!(bootstrapping_config.secure_tls_bootstrapping_get_instance_data_timeout),
    );
    conversion.copy(
        field::SECURE_TLS_GET_NONCE_TIMEOUT,
        target!(bootstrapping_config.secure_tls_bootstrapping_get_nonce_timeout),
    );
    conversion.copy(
        field::SECURE_TLS_GET_ATTESTED_DATA_TIMEOUT,
        target!(bootstrapping_config.secure_tls_bootstrapping_get_attested_data_timeout),
    );
    conversion.copy(
        field::SECURE_TLS_GET_CREDENTIAL_TIMEOUT,
        target!(bootstrapping_config.secure_tls_bootstrapping_get_credential_timeout),
    );
}

/// The domain is joined only with all three texts.
fn search_domain(conversion: &mut Conversion<'_, '_>) {
    let document = conversion.document;
    let texts = [
        document.text(field::SEARCH_DOMAIN_NAME),
        document.text(field::SEARCH_REALM_USER),
        document.text(field::SEARCH_REALM_PASSWORD),
    ];
    if texts.contains(&"") {
        return;
    }
    conversion.copy(field::SEARCH_DOMAIN_NAME, target!(custom_search_domain_config.domain_name));
    conversion.copy(field::SEARCH_REALM_USER, target!(custom_search_domain_config.realm_user));
    conversion.copy(field::SEARCH_REALM_PASSWORD, target!(custom_search_domain_config.realm_password));
}

fn users(conversion: &mut Conversion<'_, '_>) {
    conversion.copy(field::ADMIN_USERNAME, target!(linux_admin_username));
    conversion.set_variable("ADMINUSER", conversion.document.text(field::ADMIN_USERNAME));
    let origin = conversion.computed_from(&[field::SSH_STATUS.number()]);
    match conversion.document.get(field::SSH_STATUS) {
        // Off.
        Some(1) => conversion.set(target!(enable_ssh), false, origin),
        // On.
        Some(2) => conversion.set(target!(enable_ssh), true, origin),
        // With Entra ID only.
        Some(3) => conversion.set(target!(disable_pubkey_auth), true, origin),
        _ => {}
    }
}
