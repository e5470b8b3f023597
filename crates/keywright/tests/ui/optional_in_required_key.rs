use keywright::Entity;

#[derive(Entity)]
#[entity(
    pk = "TASK#<id>",
    index(GSI1, pk = "OWNER#<owner>", sk = "<id>")
)]
struct Task {
    id: String,
    owner: Option<String>,
}

fn main() {}
