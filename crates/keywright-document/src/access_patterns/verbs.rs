//! What the first words of a description say a pattern does.

use crate::markdown::Phrase;

use super::names::tokens;
use super::outline::Kind;

/// What a verb does to an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verb {
    Read,
    Count,
    Scan,
    Create,
    Put,
    Update,
    Increment,
    Decrement,
    Delete,
}

impl Verb {
    /// The kind of pattern that such a verb makes.
    pub(super) const fn kind(self) -> Kind {
        match self {
            Verb::Read | Verb::Count | Verb::Scan => Kind::Read,
            Verb::Create | Verb::Put | Verb::Update | Verb::Increment | Verb::Decrement => Kind::Write,
            Verb::Delete => Kind::Delete,
        }
    }
}

const READ: &[&str] = &[
    "get", "list", "fetch", "find", "read", "query", "look", "lookup", "retrieve", "show", "view", "search",
    "load", "check", "browse", "display", "export", "latest", "all", "top", "recent", "see", "page",
    "filter", "select", "download",
];
const COUNT: &[&str] = &["count"];
const SCAN: &[&str] = &["scan"];
const CREATE: &[&str] = &[
    "create",
    "add",
    "place",
    "register",
    "insert",
    "record",
    "log",
    "start",
    "open",
    "submit",
    "post",
    "issue",
    "book",
    "upload",
    "ingest",
    "enroll",
    "enrol",
    "append",
    "send",
    "join",
    "subscribe",
    "invite",
    "follow",
    "like",
    "star",
    "fork",
    "schedule",
    "begin",
    "sign",
    "publish",
    "raise",
    "report",
    "comment",
    "reply",
    "attach",
    "provision",
    "onboard",
    "import",
    "write",
    "found",
    "plan",
    "collect",
    "log",
    "launch",
    "request",
];
const PUT: &[&str] = &["upsert", "put", "save", "replace", "overwrite", "store"];
const UPDATE: &[&str] = &[
    "update",
    "change",
    "mark",
    "set",
    "rename",
    "edit",
    "modify",
    "assign",
    "close",
    "cancel",
    "complete",
    "approve",
    "reject",
    "ship",
    "pay",
    "move",
    "toggle",
    "archive",
    "reopen",
    "merge",
    "adjust",
    "deactivate",
    "activate",
    "confirm",
    "accept",
    "renew",
    "transfer",
    "reassign",
    "promote",
    "revoke",
    "unassign",
    "refresh",
    "rotate",
    "finish",
    "resolve",
    "suspend",
    "acknowledge",
    "rate",
    "reserve",
    "release",
    "restock",
    "disable",
    "enable",
    "extend",
    "deliver",
];
const INCREMENT: &[&str] = &["increment", "increase", "bump"];
const DECREMENT: &[&str] = &["decrement", "decrease", "reduce"];
const DELETE: &[&str] = &[
    "delete",
    "remove",
    "purge",
    "unfollow",
    "unstar",
    "unlike",
    "clear",
    "drop",
    "leave",
    "detach",
    "unsubscribe",
    "withdraw",
    "expire",
    "discard",
    "destroy",
    "erase",
    "retire",
];

/// The verb of a word, also in its other forms: creates, created, creating.
pub(super) fn verb(word: &str) -> Option<Verb> {
    let lower = word.to_lowercase();
    let lists = [
        (Verb::Scan, SCAN),
        (Verb::Count, COUNT),
        (Verb::Read, READ),
        (Verb::Create, CREATE),
        (Verb::Put, PUT),
        (Verb::Increment, INCREMENT),
        (Verb::Decrement, DECREMENT),
        (Verb::Update, UPDATE),
        (Verb::Delete, DELETE),
    ];
    lists.into_iter().find(|(_, list)| list.iter().any(|stem| is_form_of(&lower, stem))).map(|(verb, _)| verb)
}

fn is_form_of(word: &str, stem: &str) -> bool {
    let Some(ending) = word.strip_prefix(stem) else {
        // creat-ing, submit-ted
        return stem.strip_suffix('e').is_some_and(|short| word.strip_prefix(short) == Some("ing"));
    };
    matches!(ending, "" | "s" | "es" | "d" | "ed" | "ing" | "ted" | "ting" | "ped" | "ping")
}

/// The verb of a description: "create or update" is a put, else its first verb.
pub(super) fn verb_of(description: Phrase<'_>) -> Option<Verb> {
    let lower = description.as_str().to_lowercase();
    if ["create or update", "create or replace", "insert or update", "add or update", "set or replace"]
        .iter()
        .any(|words| lower.starts_with(words))
    {
        return Some(Verb::Put);
    }
    let mut words = tokens(description);
    let first = words.next().and_then(|word| verb(word.as_str()));
    first.or_else(|| tokens(description).skip(1).find_map(|word| verb(word.as_str())))
}
