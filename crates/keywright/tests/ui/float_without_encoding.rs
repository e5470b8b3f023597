use keywright::Entity;

#[derive(Entity)]
#[entity(pk = "SENSOR#<sensor>", sk = "READING#<reading>")]
struct Reading {
    sensor: String,
    reading: f64,
}

fn main() {}
