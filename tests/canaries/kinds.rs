//! Kinds of secrets, each as programs write it.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// A secret, and a text from which anybody sees that it is one.
pub struct Kind {
    pub name: &'static str,
    /// The secret.
    pub value: String,
    /// What has it.
    pub text: String,
}

/// A password that is no word of base64 or hexadecimal digits, and has no character that a syntax quotes.
const PASSWORD: &str = "Zebra-Quilt.Moss7";

/// A password with characters that every syntax quotes.
const QUOTED: &str = "Zeb'ra \"Quilt\" \\Moss7&<x>/%41+=";

/// The first line of a key.
const KEY: &str = "MIIEowIBAAKCAQEAyQ7Zb3vK1mXc9sT2uLfWq8hRjN4pGdEoVtYiBxCaSwMkHnJU";

/// A key with 512 bits in base64.
const LONG: &str = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq8K1SZFPTOtr/KBHBeksoGMGw==";

/// The secret key of age.
const AGE: &str = "AGE-SECRET-KEY-1QQPQYJ4Z7XK2M9V8C3N5L6T0W4R7E2Y9U8S3D6F5G4H7J2K9L8";

fn pem(kind: &str) -> String {
    let line = "q3Wv5nB8xL0zRk2TfYh7JmUcEaP4dGsVoIi6XtQyZwNlKbCrHjFgDeS1MuOpA9T";
    format!("-----BEGIN {kind}-----\n{KEY}\n{line}\nq3Wv5nB8xL0zRk==\n-----END {kind}-----\n")
}

fn web_token() -> String {
    let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
    format!(
        "{}.{}.dBjftJeZ4CVPmB92K27uhbUJU1p1r_wW1gFWFOEjXk",
        part(r#"{"alg":"RS256","typ":"JWT"}"#),
        part(r#"{"iss":"https://sts.windows.net/","sub":"zebra-quilt"}"#)
    )
}

/// Returns every kind.
#[expect(clippy::too_many_lines, reason = "a table")]
pub fn all() -> Vec<Kind> {
    let kind = |name, value: &str, text: String| Kind { name, value: value.to_owned(), text };
    let account = STANDARD.encode(format!("user:{PASSWORD}"));
    let token = "zebra7.0123456789quilt7";
    let web = web_token();
    let github = "ghp_Zb3vK1mXc9sT2uLfWq8hRjN4pGdEoVtYiBxC";
    vec![
        kind("bootstrap token", token, format!("the token {token} is not accepted")),
        kind("variable of a bootstrap token", token, format!("TLS_BOOTSTRAP_TOKEN={token} A=1")),
        kind("key", KEY, pem("RSA PRIVATE KEY")),
        kind("key of SSH", KEY, pem("OPENSSH PRIVATE KEY")),
        kind("encrypted key", KEY, pem("ENCRYPTED PRIVATE KEY")),
        kind(
            "service principal",
            PASSWORD,
            format!(r#"{{"aadClientId": "id", "aadClientSecret": "{PASSWORD}", "a": 1}}"#),
        ),
        kind("quoted secret", QUOTED, format!(r#"{{"clientSecret": {}, "a": 1}}"#, serde_json::json!(QUOTED))),
        kind("variable in quotes", QUOTED, format!("PASSWORD='{}' A=1", QUOTED.replace('\'', r"'\''"))),
        kind("proxy", PASSWORD, format!("HTTP_PROXY=http://user:{PASSWORD}@proxy.contoso.com:3128/ A=1")),
        kind("proxy without a scheme", PASSWORD, format!("uses user:{PASSWORD}@proxy.contoso.com:3128")),
        kind("list of proxies", PASSWORD, format!("HTTPS://user:{PASSWORD}@one:1,http://two:2/")),
        kind(
            "shared access signature",
            LONG,
            format!(
                "https://a.blob.core.windows.net/c/f?sv=2024-11-04&sig={}&se=2030",
                LONG.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
            ),
        ),
        kind(
            "signature",
            "Zb3vK1mXc9sT2uLf",
            "https://a.blob.core.windows.net/c/f?sv=2024-11-04&sig=Zb3vK1mXc9sT2uLf&se=2030".into(),
        ),
        kind("auth of Docker", &account, format!(r#"{{"auths":{{"r.azurecr.io":{{"auth":"{account}"}}}}}}"#)),
        kind("identity token", PASSWORD, format!(r#"{{"auths":{{"r.azurecr.io":{{"identitytoken":"{PASSWORD}"}}}}}}"#)),
        kind("registry credential", PASSWORD, format!("MY_REGISTRY_CREDENTIAL={PASSWORD} A=1")),
        kind("web token", &web[web.len() - 30..], format!("got {web} from the server")),
        kind("access token", &web[web.len() - 30..], format!(r#"{{"accessToken": "{web}", "expiresOn": 1}}"#)),
        kind("bearer", PASSWORD, format!("Authorization: Bearer {PASSWORD}")),
        kind("basic", &account, format!("Proxy-Authorization: Basic {account}")),
        kind("other scheme", PASSWORD, format!("curl -H 'Authorization: Token {PASSWORD}' https://api")),
        kind("token of GitHub", github, format!("remote: {github} was revoked")),
        kind("token of GitHub in a URL", github, format!("git clone https://{github}@github.com/a/b")),
        kind(
            "fine-grained token of GitHub",
            "11ABCDEFG0Zb3vK1mXc9sT_2uLfWq8hRjN4pGdEoVtYiBxC",
            "using github_pat_11ABCDEFG0Zb3vK1mXc9sT_2uLfWq8hRjN4pGdEoVtYiBxC here".into(),
        ),
        kind(
            "secret of Entra ID",
            "abc8Q~Zb3vK1mXc9sT2uLfWq8hRjN4pGdEoVtYiB",
            "secret was abc8Q~Zb3vK1mXc9sT2uLfWq8hRjN4pGdEoVtYiB there".into(),
        ),
        kind("passphrase", PASSWORD, format!("passphrase={PASSWORD}\nnext=1\n")),
        kind("kubeconfig", PASSWORD, format!("users:\n- name: a\n  user:\n    token: {PASSWORD}\n")),
        kind(
            "key of a kubeconfig",
            KEY,
            format!("users:\n- user:\n    client-key-data: {}\n", STANDARD.encode(pem("RSA PRIVATE KEY"))),
        ),
        kind(
            "connection string",
            LONG,
            format!("DefaultEndpointsProtocol=https;AccountName=a;AccountKey={LONG};EndpointSuffix=core.windows.net"),
        ),
        kind("password in XML", PASSWORD, format!("<a><Password>{PASSWORD}</Password></a>")),
        kind(
            "password in XML with a namespace",
            PASSWORD,
            format!("<ns1:UserPassword a=\"b\">{PASSWORD}</ns1:UserPassword>"),
        ),
        kind("password in CDATA", PASSWORD, format!("<Password><![CDATA[{PASSWORD}]]></Password>")),
        kind("user of curl", PASSWORD, format!("curl -u user:{PASSWORD} https://h/")),
        kind("user of curl, long", PASSWORD, format!("curl --proxy-user user:{PASSWORD} https://h/")),
        kind("login", PASSWORD, format!("docker login -u user -p {PASSWORD} r.azurecr.io")),
        kind("flag", PASSWORD, format!("az login --service-principal --password {PASSWORD} --tenant t")),
        kind("flag in a list", PASSWORD, format!(r#"["az", "login", "--password", "{PASSWORD}", "--tenant", "t"]"#)),
        kind(
            "name and value",
            PASSWORD,
            format!(r#"[{{"name": "DB_PASSWORD", "value": "{PASSWORD}"}}, {{"name": "A", "value": "b"}}]"#),
        ),
        kind(
            "value and name",
            PASSWORD,
            format!(r#"[{{"value": "{PASSWORD}", "name": "DB_PASSWORD"}}, {{"value": "b", "name": "A"}}]"#),
        ),
        kind("name and value in YAML", PASSWORD, format!("env:\n- name: DB_PASSWORD\n  value: {PASSWORD}\n")),
        kind(
            "parameter of ARM",
            PASSWORD,
            format!(r#"{{"adminPassword": {{"value": "{PASSWORD}"}}, "a": {{"value": 1}}}}"#),
        ),
        kind("block of YAML", PASSWORD, format!("password: |-\n  {PASSWORD}\nnext: 1\n")),
        kind("list of YAML", PASSWORD, format!("passwords:\n- {PASSWORD}\nnext: 1\n")),
        kind("netrc", PASSWORD, format!("machine depot.contoso.com login user password {PASSWORD}\n")),
        kind("cookie", PASSWORD, format!("Set-Cookie: session={PASSWORD}; Path=/")),
        kind("key of a subscription", PASSWORD, format!("Ocp-Apim-Subscription-Key: {PASSWORD}")),
        kind("with a comma", "Zebra,Quilt;Moss&7", "password: Zebra,Quilt;Moss&7\nnext: 1\n".into()),
        kind("table", PASSWORD, format!("it shows:\nuser,password,host\nme,{PASSWORD},h\nyou,{PASSWORD},i\n")),
        kind("aligned table", PASSWORD, format!("it shows:\nAPPID  PASSWORD           TENANT\nabc    {PASSWORD}  t\n")),
        kind("pair of Python", PASSWORD, format!("[('user', 'me'), ('password', '{PASSWORD}')]")),
        kind("variable of Bash", PASSWORD, format!("declare -x DB_PASSWORD=\"{PASSWORD}\"\ndeclare -x A=\"1\"\n")),
        kind("array of Bash", PASSWORD, format!("declare -a PASSWORDS=([0]=\"one\" [1]=\"{PASSWORD}\")\n")),
        kind("map of Go", PASSWORD, format!("got map[password:{PASSWORD} user:me] there")),
        kind("structure of Go", PASSWORD, format!("got {{User:me Password:{PASSWORD} Host:h}} there")),
        kind("structure of Go in quotes", PASSWORD, format!("main.Login{{User:\"me\", Password:\"{PASSWORD}\"}}")),
        kind("change of Terraform", PASSWORD, format!("~ admin_password = \"old\" -> \"{PASSWORD}\"\n")),
        kind("properties in XML", PASSWORD, format!("<entry key=\"password\">{PASSWORD}</entry>")),
        kind(
            "accounts of a cloud-config",
            PASSWORD,
            format!("chpasswd:\n  list: |\n    me:{PASSWORD}\n  expire: false\n"),
        ),
        kind("arguments", PASSWORD, format!("['az', 'acr', 'login', '-u', 'me', '-p', '{PASSWORD}', '-n', 'r']")),
        kind("key of age", AGE, format!("found {AGE} there")),
        kind("key of Stripe", "sk_live_Zb3vK1mXc9sT2uLfWq8hRjN4", "uses sk_live_Zb3vK1mXc9sT2uLfWq8hRjN4 there".into()),
        kind(
            "hexadecimal digits",
            "8f14e45fceea167a5a36dedd4bea2543",
            "client_secret=8f14e45fceea167a5a36dedd4bea2543 A=1".into(),
        ),
    ]
}
