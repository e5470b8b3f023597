use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "GAME#<game>", sk = "SCORE#<score>")]
struct Score {
    game: String,
    score: u32,
}

fn main() {}
