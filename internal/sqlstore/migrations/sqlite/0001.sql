-- The log (turns, mutations) and what folds from it. Every row names its
-- organisation; doc is the document's key, n an ordinal in the document.

create table organisations (
  id text not null primary key
) strict, without rowid;

create table documents (
  doc integer primary key autoincrement,
  org text not null references organisations (id),
  id text not null,
  name text not null,
  header blob not null,         -- sir.Header, canonical
  version integer not null,
  seq integer not null,         -- the head of the chain
  hash blob not null,
  turns integer not null,       -- how many there are
  elements integer not null,
  places integer not null,      -- of what has waited
  questions integer not null,   -- the highest number of a clarification
  cursors text not null,        -- domain: turns that are done
  unique (org, id),
  unique (org, name)
) strict;

create table turns (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  n integer not null,
  id text not null,
  session text not null,
  position integer not null,
  said_at integer,
  role text not null,
  name text,
  agent text not null,
  parent text not null,
  content text not null,
  metadata blob,
  act integer not null,
  speaker text not null,        -- sir.Turn.SpeakerKey
  primary key (doc, n),
  unique (doc, id)
) strict;
create index turns_speaker on turns (doc, speaker, n) where not act;
create index turns_said on turns (doc, n) where not act;

create table mutations (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  seq integer not null,
  version integer not null,     -- of the document
  turn integer not null,        -- 0 for none
  element text not null,
  kind text not null,
  element_version integer not null,
  said_at integer,
  recorded_at integer,
  payload blob,                 -- null: erased, or the turn's row has it
  payload_hash blob not null,
  salt blob,                    -- null once the payload is erased
  hash blob not null,
  primary key (doc, seq)
) strict;
create index mutations_turn on mutations (doc, turn, seq);
create index mutations_element on mutations (doc, element, seq) where element <> '';

create table elements (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  n integer not null,
  id text not null,
  domain text not null,
  type text not null,
  status text not null,
  live integer not null,
  body blob,                    -- without evidence and entries; null: erased
  primary key (doc, n),
  unique (doc, id)
) strict;

create table evidence (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  element integer not null,
  i integer not null,
  turn text not null,
  byte_start integer not null,
  byte_end integer not null,
  char_start integer not null,
  char_end integer not null,
  quote text not null,
  match text not null,
  primary key (doc, element, i)
) strict;

-- What elements are found by: hashes of their terms and keys.
create table terms (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  hash integer not null,
  element integer not null,
  primary key (doc, hash, element)
) strict, without rowid;

-- Which speaker set a value of which kind, where.
create table said (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  speaker text not null,
  kind text not null,
  seq integer not null,
  i integer not null,
  domain text not null,
  turn integer not null,
  element text not null,
  field text not null,
  primary key (doc, speaker, kind, seq, i)
) strict, without rowid;

create table pending (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  kind integer not null,        -- 0 candidate, 1 clarification, 2 conflict
  id text not null,
  place integer not null,
  number integer not null,      -- of a clarification
  body blob not null,
  primary key (doc, kind, id)
) strict;

create table drafts (
  org text not null,
  doc integer not null references documents (doc) on delete cascade,
  token text not null,
  body blob not null,
  primary key (doc, token)
) strict;

-- Which elements have which words (store.SearchWords), as hashes. Not FTS5
-- and tsvector: under row-level security PostgreSQL may not use an index of
-- text search, since its operators are not leakproof; this serves both.
create table words (
  org text not null,
  hash integer not null,
  doc integer not null references documents (doc) on delete cascade,
  element integer not null,
  primary key (org, hash, doc, element)
) strict, without rowid;
create index words_document on words (doc, element);

pragma application_id = 1397768012;
