use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "USER#<name:pad6>", sk = "<joined:isoo>")]
struct User {
    name: String,
    joined: keywright::Instant,
}

fn main() {}
