use keywright::{Entity, FieldKind, KeyField, Value};

struct Points(u32);

impl KeyField for Points {
    const KIND: FieldKind = FieldKind::Integer;

    fn to_value(&self) -> Value<'_> {
        Value::from(self.0)
    }

    fn from_value(value: Value<'_>) -> Option<Self> {
        u32::from_value(value).map(Points)
    }
}

#[derive(Entity)]
#[entity(pk = "GAME#<game>", sk = "<points>")]
struct Score {
    game: String,
    points: Points,
}

fn main() {}
