use keywright::Entity;

#[derive(Entity)]
struct NoKeys {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", partition = "B#<id>")]
struct UnknownWord {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", ttl = expires)]
struct UnknownTtl {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", version = version)]
struct VersionWithoutSortKey {
    id: String,
    version: u64,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", sk = "B", version = name)]
struct VersionOfText {
    id: String,
    name: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", sk = "B", version = version)]
struct OptionalVersion {
    id: String,
    version: Option<u64>,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", index(GSI1, pk = "B#<id>"), index(GSI1, pk = "C#<id>"))]
struct TwoIndexesOfOneName {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", sk = "B", index(GSI1, pk = "C#<id>", pk_name = "sk"), index(GSI2, pk = "D#<id>", pk_name = "pk"))]
struct TwoKeysInOneAttribute {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>#<id")]
struct NotClosed {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>", index(GSI1, pk = "B#<id>", sparse))]
struct NeverAbsent {
    id: String,
}

fn main() {}
