// Package speckl reads conversations and keeps a document of what they
// establish: typed elements, each with the exact words that support it, a
// confidence that can be explained, a status and an append-only history.
//
// [Open] gives a [Client]; [Client.Ingest] reads a whole conversation,
// [Client.Post] one turn; [Client.Document] shows what stands now,
// [Client.At] what stood at any point before, and [Client.Act] records what
// a person decides.
//
// # Modes
//
// In realtime each turn is read by itself. A batch of turns is read as one,
// with one result that tells the net change; its dry run shows the change,
// and [Client.Apply] applies it. In deliberative mode debaters must agree
// ([DebaterConfig]). In interactive mode what is ambiguous or unsure is asked
// about before it enters, and so it is in the others with [AutoSwitch].
//
// # Guarantees
//
//   - Nothing is in a document without somebody's words: every span is exact.
//   - Nothing is deleted: the log of a document is chained and only grows.
//   - Only a person confirms.
//   - What was left out is in the [sir.Result], with the reason.
//   - The same turns and configuration give the same bytes.
//
// It needs no network and no model.
package speckl
