//! Identities of the node in Azure and Kubernetes, its users, and the certificates that it trusts.

use crate::Secret;
use crate::configuration::BootstrappingAuthMethod;
use crate::inputs::member::member;
use crate::inputs::nbc::conversion::{Conversion, target};
use crate::inputs::nbc::origins::Origin;
use crate::inputs::nbc::request::{kubernetes, properties};

pub(super) fn convert(conversion: &mut Conversion<'_>) {
    azure(conversion);
    certificates(conversion);
    bootstrapping(conversion);
    search_domain(conversion);
    users(conversion);
}

/// The settings of the profile for pulling images, under the same name in the Configuration.
macro_rules! image_pull {
    ($name:ident) => {
        target!(service_account_image_pull_profile.$name)
    };
}

fn azure(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.copy_text(member!(request.TenantID), target!(auth_config.tenant_id));
    conversion.copy_text(member!(request.SubscriptionID), target!(auth_config.subscription_id));
    conversion.copy_text(member!(request.UserAssignedIdentityClientID), target!(auth_config.assigned_identity_id));
    conversion.copy(kubernetes!(request.useManagedIdentity), target!(auth_config.use_managed_identity_extension));
    let principal = properties!(request.servicePrincipalProfile.clientId);
    conversion.copy_text(principal, target!(auth_config.service_principal_id));
    let secret = properties!(request.servicePrincipalProfile.secret);
    conversion.encode(secret, target!(auth_config.service_principal_secret));
    conversion.copy(properties!(request.serviceAccountImagePullProfile.enabled), image_pull!(enabled));
    let client = properties!(request.serviceAccountImagePullProfile.defaultClientID);
    conversion.copy_text(client, image_pull!(default_client_id));
    let tenant = properties!(request.serviceAccountImagePullProfile.defaultTenantID);
    conversion.copy_text(tenant, image_pull!(default_tenant_id));
    let authority = properties!(request.serviceAccountImagePullProfile.localAuthoritySNI);
    conversion.copy_text(authority, image_pull!(local_authority_sni));
}

fn certificates(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    conversion.encode(properties!(request.certificateProfile.caCertificate), target!(kubernetes_ca_cert));
    let of_server = properties!(request.certificateProfile.apiServerCertificate);
    conversion.encode(of_server, target!(api_server_config.api_server_public_key));
    let key = properties!(request.certificateProfile.clientPrivateKey);
    conversion.encode(key, target!(kubelet_config.kubelet_client_key));
    let of_client = properties!(request.certificateProfile.clientCertificate);
    conversion.encode(of_client, target!(kubelet_config.kubelet_client_cert_content));
    conversion.copy(member!(request.CustomCATrustConfig.customCATrustCerts), target!(custom_ca_certs));
}

/// A setting of secure TLS bootstrapping, and its field in the Configuration.
macro_rules! secure_tls {
    ($request:ident . $member:ident, $field:ident) => {
        (member!($request.SecureTLSBootstrappingConfig.$member), target!(bootstrapping_config.$field))
    };
}

fn bootstrapping(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let is_secure = member!(request.SecureTLSBootstrappingConfig.secureTLSBootstrappingEnabled);
    let token = member!(request.KubeletClientTLSBootstrapToken);
    if is_secure.is_on() || token.value.is_some() {
        let method = if is_secure.is_on() {
            BootstrappingAuthMethod::SecureTlsBootstrapping
        } else {
            BootstrappingAuthMethod::BootstrapToken
        };
        let origin = Origin::computed([is_secure.presence(), token.presence()]);
        conversion.set(target!(bootstrapping_config.bootstrapping_auth_method), method, origin);
    }
    conversion.copy_text(token, target!(bootstrapping_config.tls_bootstrapping_token));
    for (setting, target) in [
        secure_tls!(request.secureTLSBootstrappingAADResource, secure_tls_bootstrapping_aad_resource),
        secure_tls!(
            request.secureTLSBootstrappingUserAssignedIdentityID,
            secure_tls_bootstrapping_user_assigned_identity_id
        ),
        secure_tls!(
            request.secureTLSBootstrappingCustomClientDownloadURL,
            secure_tls_bootstrapping_custom_client_download_url
        ),
        secure_tls!(
            request.secureTLSBootstrappingValidateKubeconfigTimeout,
            secure_tls_bootstrapping_validate_kubeconfig_timeout
        ),
        secure_tls!(
            request.secureTLSBootstrappingGetAccessTokenTimeout,
            secure_tls_bootstrapping_get_access_token_timeout
        ),
        secure_tls!(
            request.secureTLSBootstrappingGetInstanceDataTimeout,
            secure_tls_bootstrapping_get_instance_data_timeout
        ),
        secure_tls!(request.secureTLSBootstrappingGetNonceTimeout, secure_tls_bootstrapping_get_nonce_timeout),
        secure_tls!(
            request.secureTLSBootstrappingGetAttestedDataTimeout,
            secure_tls_bootstrapping_get_attested_data_timeout
        ),
        secure_tls!(
            request.secureTLSBootstrappingGetCredentialTimeout,
            secure_tls_bootstrapping_get_credential_timeout
        ),
    ] {
        conversion.copy_text(setting, target);
    }
}

/// The domain is only joined if all three texts are set.
fn search_domain(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let domain = properties!(request.linuxProfile.customSearchDomain.name);
    let user = properties!(request.linuxProfile.customSearchDomain.realmUser);
    let password = properties!(request.linuxProfile.customSearchDomain.realmPassword);
    if domain.text().is_empty() || user.text().is_empty() || password.value.is_none_or(Secret::is_empty) {
        return;
    }
    conversion.copy_text(domain, target!(custom_search_domain_config.domain_name));
    conversion.copy_text(user, target!(custom_search_domain_config.realm_user));
    conversion.copy_text(password, target!(custom_search_domain_config.realm_password));
}

fn users(conversion: &mut Conversion<'_>) {
    let request = conversion.request;
    let name = properties!(request.linuxProfile.adminUsername);
    conversion.copy_text(name, target!(linux_admin_username));
    conversion.set_variable("ADMINUSER", name.text());
    let status = member!(request.SSHStatus);
    let origin = Origin::computed([status.presence()]);
    match status.value {
        // Off.
        Some(1) => conversion.set(target!(enable_ssh), false, origin),
        // On.
        Some(2) => conversion.set(target!(enable_ssh), true, origin),
        // With Entra ID only.
        Some(3) => conversion.set(target!(disable_pubkey_auth), true, origin),
        _ => {}
    }
}
