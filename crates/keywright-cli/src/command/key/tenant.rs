//! `keywright key tenant`: whose key it is.

use keywright_key::{TenantTemplate, compat};

use super::{Answer, Refusal, template};

/// Tells the tenant of a key: by its place in a template, or else as the text after the last `#`.
#[derive(clap::Args)]
pub(super) struct Tenant {
    /// The key.
    key: String,
    /// The template of the key. Without it, the tenant is what follows the last `#`, as the TypeScript functions find it.
    #[arg(long)]
    template: Option<String>,
    /// The attribute that is the tenant.
    #[arg(long, default_value = "tenantCode", requires = "template")]
    attribute: String,
}

impl Tenant {
    pub(super) fn run(self) -> anyhow::Result<Result<Answer, Refusal>> {
        let Some(text) = &self.template else {
            let tenant = compat::get_tenant_code(&self.key);
            let refusal = || Refusal::of_key(&self.key, "there is no `#`, so there is no tenant");
            return Ok(tenant.map(|tenant| Answer::text("tenant", tenant)).ok_or_else(refusal));
        };
        let template = TenantTemplate::new(template(text)?, &self.attribute)?;
        let tenant = template.tenant_of(&self.key);
        Ok(tenant.map(|tenant| Answer::text("tenant", tenant.code())).map_err(Refusal::from))
    }
}
