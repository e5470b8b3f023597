//! Entities, their attributes, volumes and relationships.

use keywright_model::model::{Cardinality, FanOut, Type};

use crate::forms::music::{MUSIC, read};

#[test]
fn entities_come_as_lists_tables_and_diagrams() {
    let list = read("## Entities\n### Song\n- `songId` (ulid, id)\n- title (string)\n");
    let table = read(
        "## Entities\n### Song\n| Attribute | Type | Key |\n|---|---|---|\n| songId | ulid | PK |\n| title | string | |\n",
    );
    let row = read(
        "## Entities\n| Entity | Attributes |\n|---|---|\n| Song | `songId` (ulid, id), `title` (string) |\n",
    );
    let inline = read("## Entities\n### Song\n- **Attributes**: `songId` (ulid, id), `title` (string)\n");
    let heading = read("## Entities\n### Song\n#### Attributes\n- songId: ulid (id)\n- title: string\n");
    let lines = read("## Entities\n### Song\n- songId: ULID, id\n- title: string\n");
    let items = read("## Entities\n- **Song** (songId: ulid, title: string)\n");
    let labels = read("## Entities\n- Song: songId (ulid), title (string)\n- All times are in UTC.\n");
    let below = read("## Entities\n- Song\n  - songId: ulid\n  - title: string\n");
    let mermaid = read("```mermaid\nerDiagram\n Song {\n ulid songId PK\n string title\n }\n```\n");
    let plantuml = read("```puml\nentity Song {\n * songId : ulid\n --\n title : string\n}\n```\n");
    for (index, model) in
        [list, table, row, inline, heading, lines, items, labels, below, mermaid, plantuml].iter().enumerate()
    {
        let song = model.entity("Song").unwrap_or_else(|| panic!("form {index} declares no song"));
        let shown: Vec<_> = song.attributes.iter().map(|it| (it.name.as_str(), it.ty.value)).collect();
        assert_eq!(shown, [("songId", Type::Ulid), ("title", Type::String)], "form {index}");
        assert_eq!(song.identity_names().collect::<Vec<_>>(), ["songId"], "form {index}");
    }
}

#[test]
fn facts_stand_behind_a_type_too() {
    let model = read(
        "## Entities\n### Owner\n- ownerId: ulid\n### Song\nAt most 40 per owner.\n\
         - songId: ulid\n- ownerId -> Owner\n- email: string, unique, ~40 bytes\n\
         - state: enum(draft, live), mutable\n- rank: number, optional - set by hand\n- place: map\n  - city: string\n",
    );
    let song = model.entity("Song").expect("it is stated");
    let attribute = |name: &str| song.attributes.iter().find(|it| it.name == name).expect("it is stated");
    assert_eq!(attribute("ownerId").reference.as_ref().expect("it is stated").value.entity, "Owner");
    assert_eq!(attribute("ownerId").ty.value, Type::Ulid);
    assert!(attribute("email").unique.as_ref().expect("it is stated").value);
    assert_eq!(attribute("email").bytes.as_ref().expect("it is stated").value, 40);
    let values: Vec<_> = attribute("state").values.iter().map(|it| it.value.as_str()).collect();
    assert_eq!(values, ["draft", "live"]);
    assert!(attribute("rank").optional.as_ref().expect("it is stated").value);
    assert_eq!(attribute("place.city").ty.value, Type::String);
    let fan_out = &model.parents_of("Song").next().expect("it belongs to an owner").fan_out;
    assert_eq!(fan_out.max.as_ref().map(|it| it.value), Some(40));
    assert_eq!(model.entities.len(), 2);
}

#[test]
fn a_list_of_entities_needs_no_types() {
    let model = read(
        "## Entities\n1. **Member** – a person\n   - memberId (PK, UUID)\n   - email (unique)\n   - fullName\n\
         \x20  - plan: BASIC | PRO\n   - joinedAt (ISO timestamp)\n2. **Visit**\n   - memberId\n   - at (timestamp)\n",
    );
    let shown: Vec<String> = model
        .entities
        .iter()
        .flat_map(|entity| {
            entity.attributes.iter().map(move |it| format!("{}.{} {}", entity.name, it.name, it.ty.value))
        })
        .collect();
    assert_eq!(
        shown,
        [
            "Member.memberId uuid",
            "Member.email string",
            "Member.fullName string",
            "Member.plan enum",
            "Member.joinedAt datetime",
            "Visit.memberId string",
            "Visit.at datetime",
        ]
    );
    assert_eq!(model.entities[0].identity_names().collect::<Vec<_>>(), ["memberId"]);
    assert_eq!(model.entities[1].identity_names().collect::<Vec<_>>(), ["memberId", "at"]);
}

#[test]
fn diagrams_draw_cardinalities() {
    for (line, parent, cardinality) in [
        ("A ||--o{ B : has", "A", Cardinality::OneToMany),
        ("A }o--|| B", "B", Cardinality::OneToMany),
        ("A ||--|| B", "A", Cardinality::OneToOne),
        ("A }|..|{ B : \"a: b\"", "A", Cardinality::ManyToMany),
    ] {
        for (language, head) in [("mermaid", "erDiagram\n"), ("plantuml", "")] {
            let model = read(&format!("```{language}\n{head}{line}\n```\n"));
            let [relationship] = model.relationships.as_slice() else {
                panic!("{language} {line}: {model:?}")
            };
            assert_eq!(
                (relationship.parent.as_str(), relationship.cardinality.value),
                (parent, cardinality),
                "{line}"
            );
        }
    }
    let model = read("```mermaid\nerDiagram\nA only one to zero or more B : has\n```\n");
    assert_eq!(model.relationships[0].cardinality.value, Cardinality::OneToMany);
    let model = read("```plantuml\nA \"1\" -- \"0..*\" B : has\n```\n");
    assert_eq!(model.relationships[0].cardinality.value, Cardinality::OneToMany);
}

#[test]
fn attributes_may_stand_on_the_line_of_their_entity() {
    let drawn =
        |body: &str| read(&format!("```mermaid\nerDiagram\n  TRUCK {body}\n```\n")).entities.remove(0);
    for body in [
        "{ string truckId PK string plate UK \"on the front\" int odometer }",
        "{ string truckId PK\n    string plate UK \"on the front\"\n    int odometer }",
        "{\n    string truckId PK\n    string plate UK \"on the front\"\n    int odometer\n  }",
    ] {
        let truck = drawn(body);
        let names: Vec<&str> = truck.attributes.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["truckId", "plate", "odometer"], "{body}");
        assert_eq!(truck.identity_names().collect::<Vec<_>>(), ["truckId"], "{body}");
    }
    let (_, findings) =
        keywright_document::read_access_patterns("```mermaid\nerDiagram\n  TRUCK { string }\n```\n");
    assert!(findings.iter().any(|it| it.rule.name() == "malformed-diagram"), "{findings:?}");
}

#[test]
fn volumes_are_read_from_prose() {
    for (cardinality, count, mean, max) in [
        ("~100 songs per user, ~1M total", Some(1_000_000), Some(100), None),
        ("1K-10K songs per user", None, Some(5_500), Some(10_000)),
        ("max 50 per user; 2.5 million in total", Some(2_500_000), None, Some(50)),
        ("12,500 songs", Some(12_500), None, None),
    ] {
        let model = read(&MUSIC.replace(
            "- **Relationships**: Belongs to a User.\n",
            &format!("- **Relationships**: Belongs to a User.\n- **Cardinality**: {cardinality}\n"),
        ));
        let song = model.entity("Song").expect("it is declared");
        assert_eq!(song.count.as_ref().map(|it| it.value), count, "{cardinality}");
        let fan_out = &model.parents_of("Song").next().expect("it belongs to a user").fan_out;
        assert_eq!(fan_out.mean.as_ref().map(|it| it.value), mean, "{cardinality}");
        assert_eq!(fan_out.max.as_ref().map(|it| it.value), max, "{cardinality}");
    }
    let model = read(&MUSIC.replace("### PlayCount\n", "### PlayCount\n- **Cardinality**: 1:1 with Song\n"));
    let play_count = model.parents_of("PlayCount").next().expect("it belongs to a song");
    assert_eq!(play_count.cardinality.value, Cardinality::OneToOne);
}

#[test]
fn relationships_are_read_from_prose() {
    let of = |prose: &str| {
        let model = read(&format!(
            "## Entities\n### Customer\n- **Attributes**: `customerId` (ulid, id)\n### Order\n\
             - **Attributes**: `orderId` (ulid, id), `customerId` (ulid)\n- **Relationships**: {prose}\n"
        ));
        let [relationship] = model.relationships.as_slice() else {
            panic!("{prose}: {:?}", model.relationships)
        };
        (relationship.parent.clone(), relationship.cardinality.value)
    };
    let customer = |cardinality| ("Customer".to_owned(), cardinality);
    assert_eq!(of("Belongs to a Customer."), customer(Cardinality::OneToMany));
    assert_eq!(of("Placed by a customer"), customer(Cardinality::OneToMany));
    assert_eq!(of("N:1 with Customer"), customer(Cardinality::OneToMany));
    assert_eq!(of("Many-to-many with Customers").1, Cardinality::ManyToMany);
    assert_eq!(of("Has many Customers."), ("Order".to_owned(), Cardinality::OneToMany));
    assert_eq!(of("Has exactly one Customer."), ("Order".to_owned(), Cardinality::OneToOne));
    // Nothing is said, but the attribute has the name of the customer's identifier.
    assert_eq!(of("-"), customer(Cardinality::OneToMany));
}

#[test]
fn a_child_without_a_reference_gets_one() {
    let model = read(
        "## Entities\n### User\n- **Attributes**: `id` (ulid, id)\n### Song\n- **Attributes**: `songId` (ulid, id)\n\
         - **Relationships**: Belongs to a User.\n",
    );
    let reference = model.entities[1].attribute("userId").expect("it was given to the song");
    assert_eq!(reference.ty.value, Type::Ulid);
    assert_eq!(model.relationships[0].via, ["userId"]);
    assert!(model.assumptions.iter().any(|it| it.statement.contains("gave Song the attribute userId")));
}

#[test]
fn identifiers_are_inferred() {
    let identity = |attributes: &str| {
        let model = read(&format!(
            "## Entities\n### User\n- **Attributes**: `userId` (ulid, id)\n### Song\n- **Attributes**: `songId` (ulid, id)\n\
             ### OrderItem\n- **Attributes**: {attributes}\n"
        ));
        model.entities[2].identity_names().collect::<Vec<_>>().join("+")
    };
    assert_eq!(identity("`orderItemId` (ulid), `userId` (ulid)"), "orderItemId");
    assert_eq!(identity("`itemId` (ulid), `userId` (ulid)"), "itemId");
    assert_eq!(identity("`id` (ulid)"), "id");
    assert_eq!(identity("`code` (string) - the unique identifier"), "code");
    assert_eq!(identity("`userId` (ulid), `songId` (ulid), `stars` (integer)"), "userId+songId");
    assert_eq!(identity("`userId` (ulid), `measuredAt` (datetime)"), "userId+measuredAt");
    assert_eq!(identity("`slug` (string, unique)"), "slug");
    assert_eq!(identity("`orderId` (string), `itemId` (string)"), "orderId+itemId");
    assert_eq!(identity("`colour` (string)"), "");
}

#[test]
fn a_shared_sequence_is_shared_by_both() {
    let model = read(
        "## Entities\n### Issue\n- number: integer, id, sequential, shared with Pull\n\
         ### Pull\n- number: integer, id\n",
    );
    let pull = model.entity("Pull").and_then(|it| it.attribute("number")).expect("it is declared");
    assert_eq!(pull.shared_with.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(), ["Issue"]);
    assert!(pull.sequential.as_ref().is_some_and(|it| it.value));
}

#[test]
fn facts_of_attributes() {
    let model = read(
        "## Entities\n### Issue\n- **Attributes**:\n\
         \x20 - `number` (integer, id, sequential, shared with PullRequest, max 999999)\n\
         \x20 - `state` (enum(open, closed), mutable)\n\
         \x20 - `body` (text, optional, ~2 KB)\n\
         \x20 - `label` (string, ~300 values, ~10 bytes)\n\
         \x20 - `openSince` (datetime, optional, ~500 at a time)\n\
         \x20 - `tenantCode` (string, tenant)\n\
         \x20 - `expiresAt` (number, ttl)\n\
         \x20 - `place` (map)\n\
         \x20   - `city` (string)\n\
         \x20   - `point` (map)\n\
         \x20     - `x` (decimal)\n",
    );
    let issue = &model.entities[0];
    let names: Vec<_> = issue.attributes.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names[7..], ["place.city", "place.point.x"]);
    let of = |name: &str| issue.attribute(name).expect("it is declared");
    assert_eq!(of("number").max.as_ref().map(|it| it.value), Some(999_999));
    assert_eq!(of("number").shared_with[0].value, "PullRequest");
    assert_eq!(of("state").values.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(), ["open", "closed"]);
    assert_eq!(of("body").bytes.as_ref().map(|it| it.value), Some(2048));
    assert_eq!(of("label").distinct.as_ref().map(|it| it.value), Some(300));
    assert!(of("openSince").present.is_some());
    assert!(of("tenantCode").tenant.is_some() && of("expiresAt").ttl.is_some());
}

#[test]
fn descriptions_tell_values_and_references() {
    let model = read(
        "## Entities\n### User\n- **Attributes**:\n  - `id` (string) - UUID, unique identifier\n  - `role` (string) - ADMIN | USER\n\
         ### Song\n- **Attributes**:\n  - `songId` (ulid, id)\n  - `owner` (string) - FK to User\n",
    );
    let user = &model.entities[0];
    assert_eq!(user.attributes[0].ty.value, Type::Uuid);
    assert_eq!(
        user.attributes[1].values.iter().map(|it| it.value.as_str()).collect::<Vec<_>>(),
        ["ADMIN", "USER"]
    );
    let owner = model.entities[1].attributes[1].reference.as_ref().expect("it is described");
    assert_eq!(owner.value.to_string(), "User.id");
    assert_eq!(model.relationships[0].via, ["owner"]);
}

#[test]
fn an_entity_that_only_belongs_to_two_others_is_identified_by_both() {
    let model = read(
        "## Entities\n### Student\n- **Attributes**: `studentId` (ulid, id)\n### Course\n- **Attributes**: `courseId` (ulid, id)\n\
         ### Enrollment\n- **Attributes**: `grade` (integer)\n- **Relationships**: Belongs to a Student. Belongs to a Course.\n",
    );
    assert_eq!(model.entities[2].identity_names().collect::<Vec<_>>(), ["studentId", "courseId"]);
}

#[test]
fn lines_without_a_label_are_read_by_their_first_words() {
    let model = read(
        "## Entities\n### User\n- `userId` (ulid, id)\n### Song\n- **Attributes**:\n  - `userId` (ulid, ref User)\n  \
         - `title` (string)\n- Identified by `userId` + `title`\n- ~15 songs per user, at most 40, 2M in total\n- Sung by anybody\n",
    );
    let song = model.entity("Song").expect("it is declared");
    assert_eq!(song.identity_names().collect::<Vec<_>>(), ["userId", "title"]);
    assert_eq!(song.count.as_ref().map(|it| it.value), Some(2_000_000));
    assert_eq!(song.description.as_ref().map(|it| it.value.as_str()), Some("Sung by anybody"));
    let per_user = &model.relationships[0];
    let FanOut { mean, max } = &per_user.fan_out;
    let amount = [mean, max].map(|it| it.as_ref().map(|it| it.value));
    assert_eq!(amount, [Some(15), Some(40)]);
}

#[test]
fn a_parent_may_be_named_in_short() {
    let source = |per: &str| {
        format!(
            "## Entities\n### GymClass\n- **Attributes**: `classId` (ulid, id)\n### Booking\n\
             - **Attributes**: `bookingId` (ulid, id), `classId` (ulid, ref GymClass)\n- **Cardinality**: ~20 bookings {per}, at most 40\n"
        )
    };
    let model = read(&source("per class"));
    let FanOut { mean, max } = &model.relationships[0].fan_out;
    assert_eq!([mean, max].map(|it| it.as_ref().map(|it| it.value)), [Some(20), Some(40)]);
    let unread = |per: &str| {
        let (_, findings) = keywright_document::read_access_patterns(&source(per));
        findings.iter().any(|it| it.rule.name() == "unreadable-cell")
    };
    assert!(!unread("per class") && !unread("per day"));
    assert!(unread("per trainer"), "nobody knows what a trainer is");
}

/// The identity of the last entity of a document.
fn last_identity(source: &str) -> Vec<String> {
    read(source).entities.last().unwrap().identity_names().map(str::to_owned).collect()
}

#[test]
fn what_is_unique_identifies_early_enough_to_be_referred_to() {
    let source = "## Entities\n### Member\n- Attributes: `cardNumber` (string, unique), `name` (string)\n\
        ### Title\n- Attributes: `isbn` (string, id)\n\
        ### Reservation\n- Attributes: `isbn` (string), `cardNumber` (string), `reservedAt` (datetime)\n";
    assert_eq!(last_identity(source), ["isbn", "cardNumber"]);
}

#[test]
fn the_parts_of_a_whole_are_told_apart_by_their_numbers() {
    let source = "## Entities\n### Order\n- Attributes: `orderId` (ulid, id)\n\
        ### Line\n- Attributes: `orderId` (ulid), `lineNo` (integer), `quantity` (integer)\n";
    assert_eq!(last_identity(source), ["orderId", "lineNo"]);
}

#[test]
fn a_relationship_goes_through_attributes_that_are_there() {
    let source = "## Entities\n### Stock\n- Attributes: `warehouseId` (string, id), `sku` (string, id)\n\
        ### Movement\n- Attributes: `movementId` (ulid, id), `sku` (string), `warehouseId` (string)\n\
        - Cardinality: ~200 movements per stock\n";
    let (model, findings) = keywright_document::read_access_patterns(source);
    assert_eq!(model.relationships[0].via, ["warehouseId", "sku"]);
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:?}");
    let drawn = "```mermaid\nerDiagram\n  PROJECT ||--o{ PIPELINE : runs\n  PROJECT {\n    string slug PK\n  }\n\
        \x20 PIPELINE {\n    string slug PK, FK\n    int number PK\n  }\n```\n";
    let model = read(drawn);
    assert_eq!(model.relationships[0].via, ["slug"]);
    assert_eq!(model.entities[1].attributes.len(), 2);
    let model = read(&drawn.replace("string slug PK, FK", "string branch PK"));
    assert_eq!(model.relationships[0].via, ["projectSlug"]);
}

#[test]
fn what_extends_its_parents_identity_means_the_parent_by_it() {
    let source = "## Entities\n### Pipeline\n- Attributes: `repo` (string, id), `name` (string, id)\n\
        ### Run\n- Attributes: `repo` (string, id), `name` (string, id), `runNumber` (integer, id)\n\
        - Relationships: Belongs to a Pipeline.\n";
    let model = read(source);
    assert_eq!(model.relationships[0].via, ["repo", "name"]);
    assert_eq!(model.entities[1].attributes.len(), 3);
    // A name of its own is not its parent's.
    let model = read(&source.replace("`name` (string, id), `runNumber`", "`name` (string), `runNumber`"));
    assert_eq!(model.relationships[0].via, ["repo", "pipelineName"]);
}

#[test]
fn entities_as_sentences() {
    let (model, findings) = keywright_document::read_access_patterns(
        "## Entities\n\
         Songs are what we sell. A **User** has a userId (ulid, id), a display name and an email.\n\n\
         Each Song has a songId, a userId and a title. A User has many songs.\n\
         ## Access Patterns\n- Get a song by id\n",
    );
    let shown: Vec<String> = model
        .entities
        .iter()
        .map(|it| {
            let names: Vec<&str> = it.attributes.iter().map(|it| it.name.as_str()).collect();
            format!("{} {}", it.name, names.join("+"))
        })
        .collect();
    assert_eq!(shown, ["User userId+displayName+email", "Song songId+userId+title"]);
    assert!(findings.iter().all(|it| it.rule.name() == "assumption"), "{findings:?}");
    let (_, findings) = keywright_document::read_access_patterns(
        "## Entities\nThere are users, who own songs.\n## Access Patterns\n- Get a song by id\n",
    );
    assert!(findings.iter().any(|it| it.message == "this paragraph declares no entity"), "{findings:?}");
}

#[test]
fn attributes_in_a_row_with_their_types_and_facts() {
    let model = read(
        "## Entities\n\
         - **Cook** (cookId ulid, handle string unique)\n\
         - **Recipe** (recipeId ulid, cookId, minutes integer max 999, createdAt datetime)\n\
         - **Wish** (a line about what we would like)\n",
    );
    let names: Vec<&str> = model.entities.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["Cook", "Recipe"]);
    assert!(model.entities[0].attributes[1].unique.is_some());
    assert_eq!(model.entities[1].attributes[2].max.as_ref().unwrap().value, 999);
}

#[test]
fn volumes_among_the_notes_are_read() {
    let model = read(
        "## Entities\n### Song\n\
         | Attribute | Type | Notes |\n|---|---|---|\n\
         | songId | ulid | primary key |\n\
         | plays | integer | how often, max 99,999,999 |\n\
         | genre | string | ~300 values; lower case |\n\
         | text | string | ~2 KB |\n",
    );
    let attributes = &model.entities[0].attributes;
    assert_eq!(attributes[1].max.as_ref().unwrap().value, 99_999_999);
    assert_eq!(attributes[2].distinct.as_ref().unwrap().value, 300);
    assert_eq!(attributes[3].bytes.as_ref().unwrap().value, 2048);
    assert!(attributes[1].max.as_ref().unwrap().assumed);
    let model = read(
        "## Entities\n\
         | Entity | Attributes | Notes |\n|---|---|---|\n\
         | User | userId, name | ~1M total |\n\
         | Song | songId, userId, title | what they wrote, ~40 songs per user |\n",
    );
    assert_eq!(model.entities[0].count.as_ref().unwrap().value, 1_000_000);
    assert_eq!(model.relationships[0].fan_out.mean.as_ref().unwrap().value, 40);
}

#[test]
fn what_expires_does_so_by_a_number_of_seconds() {
    for (declared, stated) in [
        ("expiresAt (integer, ttl)", true),
        ("expiresAt (number, ttl)", true),
        ("expiresAt (datetime, ttl)", false),
        ("expiresAt (string, ttl)", false),
        ("expiresAt (ttl)", false),
    ] {
        let model = read(&format!("## Entities\n### Token\n- `tokenId` (ulid, id)\n- {declared}\n"));
        let expiry = model.entity("Token").and_then(|it| it.attribute("expiresAt")).expect("it is stated");
        assert!(expiry.ty.value.is_numeric(), "{declared}: {}", expiry.ty.value);
        let said = model.assumptions.iter().any(|it| it.statement.contains("expiresAt as an integer"));
        assert_eq!((said, expiry.ty.assumed), (!stated, !stated), "{declared}");
    }
}
