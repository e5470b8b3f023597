//! `cdk`: the tables as a construct and a stack for AWS CDK in TypeScript.

use keywright_model::design::{Index, KeyAttribute, KeyType, Projection, Table};
use serde_json::json;

use super::infrastructure::{indexes, pretty, projection_type, resource_name};
use super::{Options, Target};
use crate::code::Code;
use crate::{File, Plan, header};

/// AWS CDK.
pub(super) static CDK: Target =
    Target { name: "cdk", summary: "an AWS CDK app in TypeScript with the tables", files };

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let application = &plan.application;
    let stack = application.suffixed("tables").pascal();
    let file = application.suffixed("tables").kebab();
    let lib = {
        let mut code = Code::new("  ");
        code.line("import { RemovalPolicy, Stack, type StackProps } from \"aws-cdk-lib\";");
        code.line("import * as dynamodb from \"aws-cdk-lib/aws-dynamodb\";");
        code.line("import type { Construct } from \"constructs\";");
        code.blank();
        code.line(
            "/** The tables. They outlive the stack: deleting it, or replacing a table, deletes no data. */",
        );
        code.block(format!("export class {stack} extends Stack {{"), "}", |code| {
            for table in &plan.design.tables {
                code.line(format!("readonly {}: dynamodb.Table;", resource_name(table).camel()));
            }
            code.blank();
            code.block("constructor(scope: Construct, id: string, props?: StackProps) {", "}", |code| {
                code.line("super(scope, id, props);");
                for table in &plan.design.tables {
                    code.blank();
                    construct(code, plan, table, "this.");
                }
            });
        });
        code.finish()
    };
    let bin = format!(
        "import {{ App }} from \"aws-cdk-lib\";\nimport {{ {stack} }} from \"../lib/{file}\";\n\nconst app = new App();\n\
         new {stack}(app, \"{stack}\");\napp.synth();\n"
    );
    let comment = header::comment(plan, "//");
    let package = json!({
        "name": file,
        "description": header::sentences(plan).join(" "),
        "version": "0.1.0",
        "private": true,
        "scripts": { "build": "tsc --noEmit", "synth": "cdk synth" },
        "dependencies": { "aws-cdk-lib": "^2.240.0", "constructs": "^10.4.0" },
        "devDependencies": { "@types/node": "^22.0.0", "aws-cdk": "^2.1000.0", "tsx": "^4.0.0", "typescript": "^5.6.0" },
    });
    let tsconfig = json!({
        "compilerOptions": {
            "target": "ES2022",
            "module": "commonjs",
            "strict": true,
            "noUnusedLocals": true,
            "noUnusedParameters": true,
            "skipLibCheck": true,
        },
        "include": ["bin", "lib"],
    });
    vec![
        File::new(format!("lib/{file}.ts"), format!("{comment}\n{lib}")),
        File::new("bin/app.ts", format!("{comment}\n{bin}")),
        File::new("package.json", pretty(&package)),
        File::new("tsconfig.json", format!("{comment}\n{}", pretty(&tsconfig))),
        File::new(
            "cdk.json",
            pretty(&json!({ "//": header::sentences(plan).join(" "), "app": "npx tsx bin/app.ts" })),
        ),
    ]
}

/// A code fragment that creates the tables, for an existing stack.
pub(super) fn fragment(plan: &Plan<'_>) -> String {
    let mut code = Code::new("  ");
    for (at, table) in plan.design.tables.iter().enumerate() {
        if at > 0 {
            code.blank();
        }
        construct(&mut code, plan, table, "const ");
    }
    code.finish()
}

fn construct(code: &mut Code, plan: &Plan<'_>, table: &Table, target: &str) {
    let name = resource_name(table);
    let variable = format!("{target}{}", name.camel());
    code.block(
        format!("{variable} = new dynamodb.Table(this, {}, {{", text(&name.pascal())),
        "});",
        |code| {
            code.line(format!("tableName: {},", text(&table.name)));
            code.line(format!("partitionKey: {},", attribute(&table.partition)));
            if let Some(key) = &table.sort {
                code.line(format!("sortKey: {},", attribute(key)));
            }
            code.line("billingMode: dynamodb.BillingMode.PAY_PER_REQUEST,");
            if let Some(attribute) = &table.ttl {
                code.line(format!("timeToLiveAttribute: {},", text(attribute)));
            }
            code.line("pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },");
            code.line("stream: dynamodb.StreamViewType.NEW_AND_OLD_IMAGES,");
            code.line("deletionProtection: true,");
            code.line("removalPolicy: RemovalPolicy.RETAIN,");
        },
    );
    let reference = if target == "const " { name.camel() } else { variable };
    for index in indexes(plan.design, table) {
        code.block(format!("{reference}.addGlobalSecondaryIndex({{"), "});", |code| {
            secondary_index(code, index)
        });
    }
}

fn secondary_index(code: &mut Code, index: &Index) {
    code.line(format!("indexName: {},", text(&index.name)));
    let list = |keys: &[KeyAttribute]| keys.iter().map(attribute).collect::<Vec<_>>().join(", ");
    match index.partition.as_slice() {
        [key] => code.line(format!("partitionKey: {},", attribute(key))),
        keys => code.line(format!("partitionKeys: [{}],", list(keys))),
    };
    match index.sort.as_slice() {
        [] => {}
        [key] => {
            code.line(format!("sortKey: {},", attribute(key)));
        }
        keys => {
            code.line(format!("sortKeys: [{}],", list(keys)));
        }
    }
    code.line(format!("projectionType: dynamodb.ProjectionType.{},", projection_type(&index.projection)));
    if let Projection::Include(names) = &index.projection {
        let names: Vec<String> = names.iter().map(|name| text(name)).collect();
        code.line(format!("nonKeyAttributes: [{}],", names.join(", ")));
    }
}

fn attribute(key: &KeyAttribute) -> String {
    let ty = match key.ty {
        KeyType::String => "STRING",
        KeyType::Number => "NUMBER",
        KeyType::Binary => "BINARY",
    };
    format!("{{ name: {}, type: dynamodb.AttributeType.{ty} }}", text(&key.name))
}

fn text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
