package sqlstore

// The statements of both engines. "?" is a parameter and "(?…)" one that
// holds a list; " for update" locks a row where rows can be locked. Each
// names the organisation first.
const (
	qDocument = `select doc, name, header, version, seq, hash, turns, elements, places, questions, cursors
		from documents where org = ? and id = ?`
	qDocumentLocked = qDocument + ` for update`
	qDocumentNamed  = `select id from documents where org = ? and name = ?`
	qDocuments      = `select name, header, version from documents where org = ? and name > ? order by name limit ?`
	qDocumentKeys   = `select doc, header, version from documents where org = ? and doc in (?…) order by name`
	qNewOrg         = `insert into organisations (id) values (?) on conflict (id) do nothing`
	qNewDocument    = `insert into documents (org, id, name, header, version, seq, hash, turns, elements, places, questions, cursors)
		values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) returning doc`
	qSaveDocument = `update documents set name = ?, header = ?, version = ?, seq = ?, hash = ?, turns = ?, elements = ?,
		places = ?, questions = ?, cursors = ? where org = ? and doc = ? and seq = ?`
	qDeleteDocument = `delete from documents where org = ? and id = ?`

	turnColumns = `n, id, session, position, said_at, role, name, agent, parent, content, metadata`
	qTurn       = `select ` + turnColumns + ` from turns where org = ? and doc = ? and id = ?`
	qTurnsAfter = `select ` + turnColumns + ` from turns where org = ? and doc = ? and n > ? order by n limit ?`
	qTurnIDs    = `select n, id, said_at from turns where org = ? and doc = ? and n in (?…)`
	qTurnRows   = `select n, id, act, speaker, metadata from turns where org = ? and doc = ? and n > ? order by n limit ?`
	qSaidAfter  = `select n from turns where org = ? and doc = ? and n > ? and not act order by n limit 1`
	qLastSaid   = `select n, id from turns where org = ? and doc = ? and speaker = ? and n < ? and not act order by n desc limit 1`

	qLog = `select m.seq, m.version, m.turn, t.id, m.element, m.kind, m.element_version, m.said_at, m.recorded_at,
			m.payload, m.payload_hash, m.salt, m.hash,
			t.session, t.position, t.said_at, t.role, t.name, t.agent, t.parent,
			case when m.kind in ('turn', 'act') then t.content end, t.metadata
		from mutations m left join turns t on t.doc = m.doc and t.n = m.turn and t.org = m.org
		where m.org = ? and m.doc = ? and m.seq > ? order by m.seq limit ?`
	qHashAt   = `select hash from mutations where org = ? and doc = ? and seq = ?`
	qPayloads = `select element, payload from mutations where org = ? and doc = ? and element <> '' and element in (?…) order by element, seq`
	qTouched  = `select e.id from mutations m join elements e on e.doc = m.doc and e.id = m.element and e.org = m.org
		where m.org = ? and m.doc = ? and m.turn = ? and m.element <> '' and (? = '' or e.domain = ?) order by m.seq`

	elementColumns  = `n, id, domain, type, status, live, body`
	qElementsAfter  = `select ` + elementColumns + ` from elements where org = ? and doc = ? and n > ? order by n limit ?`
	qElementsByID   = `select ` + elementColumns + ` from elements where org = ? and doc = ? and id in (?…)`
	qLive           = `select id, body from elements where org = ? and doc = ? and live`
	qElementsByTerm = `select ` + elementColumns + ` from elements where org = ? and doc = ? and n in
		(select element from terms where org = ? and doc = ? and hash in (?…))`
	qElementsByN = `select ` + elementColumns + ` from elements where org = ? and doc = ? and n in (?…)`
	qSaveElement = `update elements set domain = ?, type = ?, status = ?, live = ?, body = ? where org = ? and doc = ? and n = ?`
	qEvidence    = `select element, turn, byte_start, byte_end, char_start, char_end, quote, match
		from evidence where org = ? and doc = ? and element in (?…) order by element, i`
	qEvidenceRows = `select element, i from evidence where org = ? and doc = ? order by element, i`
	qDropTerm     = `delete from terms where org = ? and doc = ? and hash = ? and element = ?`
	qDropWord     = `delete from words where org = ? and hash = ? and doc = ? and element = ?`
	qTerms        = `select element, hash from terms where org = ? and doc = ? order by element, hash`
	qWords        = `select element, hash from words where org = ? and doc = ? order by element, hash`

	qNewest = `select turn, element, field from said
		where org = ? and doc = ? and speaker = ? and kind = ? and (? = '' or domain = ?) order by seq desc, i desc`
	qSaid = `select speaker, kind, seq, i, domain, turn, element, field from said where org = ? and doc = ? order by seq, i`

	qPending = `select kind, id, place, number, body from pending where org = ? and doc = ? order by kind, place`
	qOpen    = `select body from pending where org = ? and doc = ? and kind = 1 order by place`
	qWaiting = `select kind, id, place, number from pending
		where org = ? and doc = ? and kind in (0, 1, 2) and id in (?…)`
	qNumbered    = `select id from pending where org = ? and doc = ? and kind = 1 and number = ?`
	qSavePending = `update pending set number = ?, body = ? where org = ? and doc = ? and kind = ? and id = ?`
	qDropPending = `delete from pending where org = ? and doc = ? and kind = ? and id = ?`

	qDraft     = `select body from drafts where org = ? and doc = ? and token = ?`
	qKeepDraft = `insert into drafts (org, doc, token, body) values (?, ?, ?, ?)
		on conflict (doc, token) do update set body = excluded.body`
	qDropDraft = `delete from drafts where org = ? and doc = ? and token = ?`

	// A list of numbers each; what was erased leaves its place.
	qErasePayloads = `update mutations set payload = null, salt = null where org = ? and doc = ? and seq in (?…)`
	qEraseSaid     = `delete from said where org = ? and doc = ? and seq in (?…)`
	qEraseElements = `update elements set domain = '', type = '', status = '', live = false, body = null
		where org = ? and doc = ? and n in (?…)`
	qEraseEvidence = `delete from evidence where org = ? and doc = ? and element in (?…)`
	qEraseTerms    = `delete from terms where org = ? and doc = ? and element in (?…)`
	qEraseWords    = `delete from words where org = ? and doc = ? and element in (?…)`
	qEraseTurn     = `update turns set session = ?, position = ?, said_at = ?, role = ?, name = ?, agent = ?, parent = ?,
		content = ?, metadata = ?, act = ?, speaker = ? where org = ? and doc = ? and n = ?`
	qErasePending = `delete from pending where org = ? and doc = ?`
	qEraseDrafts  = `delete from drafts where org = ? and doc = ?`

	// A search joins one qWord for each word with "intersect".
	qWord = `select doc, element from words where org = ? and hash = ?`
)

// The tables that rows are appended to, with their columns.
var (
	intoTurns = table{"turns", []string{"org", "doc", "n", "id", "session", "position", "said_at", "role", "name",
		"agent", "parent", "content", "metadata", "act", "speaker"}, ""}
	intoMutations = table{"mutations", []string{"org", "doc", "seq", "version", "turn", "element", "kind", "element_version",
		"said_at", "recorded_at", "payload", "payload_hash", "salt", "hash"}, ""}
	intoElements = table{"elements", []string{"org", "doc", "n", "id", "domain", "type", "status", "live", "body"}, ""}
	intoEvidence = table{"evidence", []string{"org", "doc", "element", "i", "turn", "byte_start", "byte_end", "char_start",
		"char_end", "quote", "match"}, ""}
	intoTerms   = table{"terms", []string{"org", "doc", "hash", "element"}, ""}
	intoWords   = table{"words", []string{"org", "hash", "doc", "element"}, " on conflict do nothing"}
	intoSaid    = table{"said", []string{"org", "doc", "speaker", "kind", "seq", "i", "domain", "turn", "element", "field"}, ""}
	intoPending = table{"pending", []string{"org", "doc", "kind", "id", "place", "number", "body"}, ""}
)
