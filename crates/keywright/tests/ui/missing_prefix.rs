use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "<user_id>", sk = "PROFILE")]
struct User {
    user_id: String,
}

fn main() {}
