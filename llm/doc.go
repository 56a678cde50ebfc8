// Package llm talks to language models: one request, one reply, from any
// provider that speaks one of three wires (OpenAI's chat completions,
// Anthropic's messages, Gemini's generateContent).
//
// A [Client] adds what a program needs and a provider does not give: bounded
// retries with jitter, limits of rate and concurrency, time-outs, an account
// of tokens and cost that includes failed attempts, and errors that say which
// of a few things went wrong. Keys come from the environment or a file and
// are in no error, no recording and no text.
//
// The package stands alone: it imports nothing of the repository.
package llm
