use keywright::Entity;

#[derive(Entity, serde::Serialize)]
#[serde(rename_all = "camelCase")]
#[entity(pk = "USER#<user_id>")]
struct User {
    user_id: String,
}

fn main() {}
