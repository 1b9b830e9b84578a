# Secrets in texts, for the programs of the log bundle. Each pattern takes time that grows with the text only, because anybody may have
# written it. They may cover more than secrets: who reads a bundle does without a value rather than seeing one too many.

REDACTED = b"[redacted]"

# What a name ends with if its value is a secret.
NAMES = rb"(?:token|passw(?:or)?d|pwd|passphrase|secret|credentials?|(?<=[\"'])auth|[_-]key|(?:access|account|private|shared|api)key|client-key-data)"
QUOTED = rb"\"(?:[^\"\\]|\\[\s\S]){0,16384}\"?|'[^']{0,16384}'?"
# The value of a member: a block, a list, in quotes, in quotes that are escaped, or one word.
MEMBER = rb"(?:[|>][+-]?[ \t]*\n(?:[ \t]+[^\n]*(?:\n|$))+|\[[^\]]{0,4096}\]?|" + QUOTED + rb"|\\\"[^\\]{0,4096}|[^\s\"']+)"
# A word of a shell, or in escaped quotes.
WORD = rb"(?:\\\"[^\\]{0,4096}|(?:" + QUOTED + rb"|\\[\s\S]|[^\s\"'\\;&])+)"
# The first group stays.
PATTERNS = [
    re.compile(pattern, flags)
    for pattern, flags in (
        (rb"(-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----)(?:[^-]|-(?!----)){1,65536}", 0),
        # The same in base64.
        (rb"()LS0tLS1CRUdJTiB(?:QUklW|SU0Eg|FQyBQ|PUEVO|FTkNS|EU0Eg)[A-Za-z0-9+/=\\\r\n]*", 0),
        (rb"((?<![\w-]))eyJ[\w-]{5,}\.eyJ[\w-]{5,}\.[\w-]*", 0),
        # https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/#token-format
        (rb"((?<![a-z0-9.]))[a-z0-9]{6}\.[a-z0-9]{16}(?![a-z0-9.])", 0),
        (rb"(://)[^\s\"'<>]{1,200}@", 0),
        (rb"([?&;#]sig=)[^&\s\"'<>]+", re.I),
        (rb"(authorization[\"']?[ \t]{0,4}[:=][ \t]{0,4}[\"']?)[^\r\n\"']+", re.I),
        (rb"(\b(?:basic|bearer) )[\w.~+/=-]{8,}", re.I),
        (rb"(<[\w:]{0,40}(?:password|secret|token|key)>)[^<]+", re.I),
        (rb"(\s(?:--user|-u)[ =]{1,4}[\"']?[^\s:\"']{0,64}:)[^\s\"']+", 0),
        (rb"(\blogin\s[^\n]{0,200}?\s-p[ =]?)\S+", 0),
    )
]
# What these match stays if it is harmless: the second group.
ASSIGNMENTS = [
    re.compile(pattern, re.I | re.M)
    for pattern in (
        # A line of YAML, whose value may have blanks.
        rb"^([ \t]{0,200}(?:- )?[\"']?[\w.-]{0,64}?" + NAMES + rb"[\"']?[ \t]{0,8}:[ \t]{1,8})([^\s\"'|>\[{][^\n]*)",
        rb"(" + NAMES + rb"\\?[\"']?[ \t]{0,8}:[ \t]{0,8})(" + MEMBER + rb")",
        rb"(\s--[\w-]{0,40}" + NAMES + rb"[ =]{1,4})(" + WORD + rb")",
        rb"(" + NAMES + rb"\\?[\"']?[ \t]{0,8}:?=[ \t]{0,8})(" + WORD + rb")",
    )
]
HARMLESS = re.compile(rb"[\"']?(?:true|false|null|none|~)?[\"']?", re.I)
# A file with one of these is a secret as a whole: a key, a kubeconfig, a login at a registry.
SECRET_CONTENT = re.compile(
    rb"PRIVATE KEY-----|LS0tLS1CRUdJTiB(?:QUklW|SU0Eg|FQyBQ|PUEVO|FTkNS|EU0Eg)|PuTTY-User-Key-File|AGE-SECRET-KEY-|client-key-data|\"auths\"\s{0,8}:"
)
KUBECONFIG = (re.compile(rb"\bkind[\"']?\s{0,8}:\s{0,8}[\"']?Config\b"), re.compile(rb"\b(?:token|password)[\"']?\s{0,8}:"))


def without_value(match):
    return match[0] if HARMLESS.fullmatch(match[2]) else match[1] + REDACTED


# Returns bytes with each secret replaced.
def without_secrets(text):
    for pattern in PATTERNS:
        text = pattern.sub(rb"\1" + REDACTED, text)
    for pattern in ASSIGNMENTS:
        text = pattern.sub(without_value, text)
    return text


# Whether a name says that its value is a secret.
def is_named_secret(name):
    return re.search(rb"(?i)" + NAMES + rb"$", str(name).encode(errors="replace")) is not None


# Whether bytes are a secret as a whole.
def is_secret(content):
    return bool(SECRET_CONTENT.search(content)) or all(part.search(content) for part in KUBECONFIG)
