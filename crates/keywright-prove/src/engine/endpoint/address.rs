//! Where an endpoint is, and whether it is AWS's.

use http::Uri;
use http::uri::Scheme;

/// A checked URL without a path.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Address {
    /// The URL without a slash at its end.
    pub(super) url: String,
    /// The region, where the host is AWS's own.
    pub(super) aws_region: Option<String>,
}

impl Address {
    /// Reads a URL; the error says what is wrong with it.
    pub(super) fn parse(url: &str) -> Result<Self, String> {
        let uri: Uri = url.trim().parse().map_err(|error| format!("not a URL: {error}"))?;
        if uri.scheme() != Some(&Scheme::HTTP) && uri.scheme() != Some(&Scheme::HTTPS) {
            return Err("a URL with http:// or https:// is needed".into());
        }
        let (Some(authority), Some(scheme)) = (uri.authority(), uri.scheme_str()) else {
            return Err("the URL has no host".into());
        };
        if authority.as_str().contains('@') {
            return Err("the URL must not hold a user name: credentials come from AWS's usual places".into());
        }
        if authority.host().is_empty() || !matches!(uri.path(), "" | "/") || uri.query().is_some() {
            return Err("the URL must be a host and a port, without path or query".into());
        }
        Ok(Address { url: format!("{scheme}://{authority}"), aws_region: aws_region(authority.host()) })
    }
}

/// `dynamodb.eu-west-1.amazonaws.com`, its relatives with an account or FIPS in front, and those of China.
fn aws_region(host: &str) -> Option<String> {
    let host = host.to_ascii_lowercase();
    let services = [".amazonaws.com", ".amazonaws.com.cn", ".api.aws"];
    let front = services.iter().find_map(|suffix| host.strip_suffix(suffix))?;
    let mut labels = front.rsplit('.');
    let region = labels.next()?;
    let service = labels.next()?;
    ["dynamodb", "dynamodb-fips", "ddb", "streams"].contains(&service).then(|| region.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aws_is_known_by_its_host_and_nobody_else_is() {
        for (host, region) in [
            ("dynamodb.eu-west-1.amazonaws.com", Some("eu-west-1")),
            ("DynamoDB.us-east-1.amazonaws.com", Some("us-east-1")),
            ("123456789012.ddb.us-east-2.amazonaws.com", Some("us-east-2")),
            ("dynamodb.cn-north-1.amazonaws.com.cn", Some("cn-north-1")),
            ("dynamodb-fips.us-gov-west-1.api.aws", Some("us-gov-west-1")),
            ("localhost", None),
            ("dynamodb.eu-west-1.amazonaws.com.example.org", None),
            ("s3.eu-west-1.amazonaws.com", None),
            ("amazonaws.com", None),
        ] {
            assert_eq!(aws_region(host).as_deref(), region, "{host}");
        }
    }

    #[test]
    fn a_url_is_a_host_and_nothing_more() {
        assert_eq!(
            Address::parse("http://localhost:8000/").map(|address| address.url).as_deref(),
            Ok("http://localhost:8000")
        );
        assert_eq!(
            Address::parse("https://[::1]:4566").map(|address| address.url).as_deref(),
            Ok("https://[::1]:4566")
        );
        for wrong in [
            "",
            "localhost:8000",
            "ftp://a",
            "http://",
            "http://u:p@a",
            "http://a/path",
            "http://a?x=1",
            "http://a b",
        ] {
            assert!(Address::parse(wrong).is_err(), "{wrong}");
        }
    }
}
