use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "POST#<tags>")]
struct Post {
    tags: Vec<String>,
}

fn main() {}
