use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "POST#<tags>")]
struct Post {
    tags: Vec<String>,
}

#[derive(Entity)]
#[entity(pk = "USER#<id>")]
struct Borrowed<'a> {
    id: &'a str,
}

#[derive(Entity)]
#[entity(pk = "PAGE#<number:pad6>")]
struct OfTheMachine {
    number: usize,
}

fn main() {}
