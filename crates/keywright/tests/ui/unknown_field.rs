use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "USER#<user>")]
struct User {
    user_id: String,
}

fn main() {}
