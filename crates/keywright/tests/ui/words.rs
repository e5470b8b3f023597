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
#[entity(pk = "A#<id>", version = id)]
struct VersionWithoutSortKey {
    id: String,
}

#[derive(Entity)]
#[entity(pk = "A#<id>#<id")]
struct NotClosed {
    id: String,
}

fn main() {}
