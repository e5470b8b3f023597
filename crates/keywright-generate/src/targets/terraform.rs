//! `terraform`: the tables for the AWS provider, formatted as `terraform fmt` does.

use keywright_model::design::{Index, KeyAttribute, Projection, Table};

use super::infrastructure::{indexes, key_attributes, projection_type, resource_name};
use super::{Options, Target};
use crate::code::Code;
use crate::{File, Plan, header};

/// Terraform.
pub(super) static TERRAFORM: Target =
    Target { name: "terraform", summary: "main.tf: the tables for Terraform's AWS provider", files };

fn files(plan: &Plan<'_>, _: &Options) -> Vec<File> {
    let mut code = Code::new("  ");
    // The provider supports keys of several attributes since version 6.29.
    let multi = plan.design.indexes.iter().any(|index| index.partition.len() > 1 || index.sort.len() > 1);
    let version = if multi { ">= 6.29" } else { ">= 5.0" };
    code.block("terraform {", "}", |code| {
        code.block("required_providers {", "}", |code| {
            code.block("aws = {", "}", |code| {
                arguments(code, &[("source", text("hashicorp/aws")), ("version", text(version))]);
            });
        });
    });
    for table in &plan.design.tables {
        code.blank();
        resource(&mut code, plan, table);
        let name = resource_name(table).snake();
        for (what, attribute) in [("name", "name"), ("arn", "arn"), ("stream_arn", "stream_arn")] {
            code.blank();
            code.block(format!("output \"{name}_{what}\" {{"), "}", |code| {
                code.line(format!("value = aws_dynamodb_table.{name}.{attribute}"));
            });
        }
    }
    vec![File::new("main.tf", format!("{}\n{}", header::comment(plan, "#"), code.finish()))]
}

fn resource(code: &mut Code, plan: &Plan<'_>, table: &Table) {
    code.block(
        format!("resource \"aws_dynamodb_table\" \"{}\" {{", resource_name(table).snake()),
        "}",
        |code| {
            let mut facts = vec![
                ("name", text(&table.name)),
                ("billing_mode", text("PAY_PER_REQUEST")),
                ("hash_key", text(&table.partition.name)),
            ];
            facts.extend(table.sort.as_ref().map(|key| ("range_key", text(&key.name))));
            facts.extend([
                ("stream_enabled", "true".to_owned()),
                ("stream_view_type", text("NEW_AND_OLD_IMAGES")),
                ("deletion_protection_enabled", "true".to_owned()),
            ]);
            arguments(code, &facts);
            for key in key_attributes(plan.design, table) {
                code.blank();
                code.block("attribute {", "}", |code| {
                    arguments(code, &[("name", text(&key.name)), ("type", text(key.ty.symbol()))]);
                });
            }
            for index in indexes(plan.design, table) {
                code.blank();
                code.block("global_secondary_index {", "}", |code| global_secondary_index(code, index));
            }
            if let Some(attribute) = &table.ttl {
                code.blank();
                code.block("ttl {", "}", |code| {
                    arguments(code, &[("attribute_name", text(attribute)), ("enabled", "true".to_owned())]);
                });
            }
            code.blank();
            code.block("point_in_time_recovery {", "}", |code| {
                code.line("enabled = true");
            });
            code.blank();
            code.block("lifecycle {", "}", |code| {
                code.line("prevent_destroy = true");
            });
        },
    );
}

fn global_secondary_index(code: &mut Code, index: &Index) {
    let single = index.partition.len() == 1 && index.sort.len() <= 1;
    let mut facts = vec![("name", text(&index.name))];
    if single {
        facts.extend(index.partition.first().map(|key| ("hash_key", text(&key.name))));
        facts.extend(index.sort.first().map(|key| ("range_key", text(&key.name))));
    }
    facts.push(("projection_type", text(projection_type(&index.projection))));
    if let Projection::Include(names) = &index.projection {
        let names: Vec<String> = names.iter().map(|name| text(name)).collect();
        facts.push(("non_key_attributes", format!("[{}]", names.join(", "))));
    }
    arguments(code, &facts);
    if !single {
        let mut schema = |keys: &[KeyAttribute], ty: &str| {
            for key in keys {
                code.blank();
                code.block("key_schema {", "}", |code| {
                    arguments(code, &[("attribute_name", text(&key.name)), ("key_type", text(ty))]);
                });
            }
        };
        schema(&index.partition, "HASH");
        schema(&index.sort, "RANGE");
    }
}

/// Arguments, one per line, with aligned `=`.
fn arguments(code: &mut Code, arguments: &[(&str, String)]) {
    let width = arguments.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    for (name, value) in arguments {
        code.line(format!("{name:width$} = {value}"));
    }
}

/// A string literal: quotes and backslashes escaped, and no interpolation.
fn text(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace("${", "$${").replace("%{", "%%{");
    format!("\"{escaped}\"")
}
