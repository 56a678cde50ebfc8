package sqlstore

import (
	"regexp"
	"strings"
)

// urlStart is what a DSN that is a URL begins with; one letter is a drive.
var urlStart = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// scheme is the scheme of a URL, in lower case; "" for a path.
func scheme(dsn string) string {
	return strings.ToLower(strings.TrimSuffix(urlStart.FindString(dsn), "://"))
}

// secrets are where a DSN may have a password: before the last @ of a URL's
// host, and behind a word that says so.
var secrets = []*regexp.Regexp{
	regexp.MustCompile(`(://[^:/@?]*:).*(@)`),
	regexp.MustCompile(`((?i:password)\w*\s*=\s*)[^&\s]*()`),
}

// Redacted is a DSN without its passwords, for messages. It need not be one
// that can be opened: a mistyped one has a password, too.
func Redacted(dsn string) string {
	for _, s := range secrets {
		dsn = s.ReplaceAllString(dsn, "${1}xxxxx${2}")
	}
	return dsn
}
