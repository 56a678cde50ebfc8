package llm

import "net/http"

// wire is how a provider wants to be asked, and how it answers.
type wire interface {
	// body is the request, to be encoded as JSON, without the features that
	// the provider has refused.
	body(model string, r *Request, without features) any
	// authorize sets the headers that the API wants.
	authorize(h http.Header, key string)
	// reply reads the body of a good response.
	reply(body []byte) (envelope, error)
	// problem is what the body of a bad response says.
	problem(body []byte) string
}

// envelope is what a body holds.
type envelope struct {
	text, model string
	finish      Finish
	// answered: it holds an answer, though perhaps an empty one; failed: it
	// holds an error, though the response was good.
	answered, failed bool
	usage            *Usage // nil where the provider does not say
}

// feature is a part of a request that some servers do not take.
type feature string

// The features that are left out where a server refuses them.
const (
	schema      feature = "schema"
	temperature feature = "temperature"
	tokenBound  feature = "token bound"
)

// features is a set of them.
type features map[feature]bool

// refusals are words that an error has where a server refuses a feature.
var refusals = []struct {
	feature feature
	words   []string
}{
	{schema, []string{"response_format", "json_schema", "output_config", "output_format", "responsejsonschema", "response_json_schema", "responseschema", "response schema", "schema", "structured output", "grammar"}},
	{temperature, []string{"temperature"}},
	{tokenBound, []string{"max_tokens", "max_completion_tokens"}},
}
