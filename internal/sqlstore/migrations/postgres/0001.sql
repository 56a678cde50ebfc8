-- The log (turns, mutations) and what folds from it. Every row names its
-- organisation; doc is the document's key, n an ordinal in the document.

create table organisations (
  id text collate "C" not null primary key
);

create table documents (
  doc bigint primary key generated always as identity,
  org text collate "C" not null references organisations (id),
  id text collate "C" not null,
  name text collate "C" not null,
  header bytea not null, -- sir.Header, canonical
  version bigint not null,
  seq bigint not null, -- the head of the chain
  hash bytea not null,
  turns bigint not null, -- how many there are
  elements bigint not null,
  places bigint not null, -- of what has waited
  questions bigint not null, -- the highest number of a clarification
  cursors text collate "C" not null, -- domain: turns that are done
  unique (org, id),
  unique (org, name)
);

create table turns (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  n bigint not null,
  id text collate "C" not null,
  session text collate "C" not null,
  position bigint not null,
  said_at bigint,
  role text collate "C" not null,
  name text collate "C",
  agent text collate "C" not null,
  parent text collate "C" not null,
  content text collate "C" not null,
  metadata bytea,
  act boolean not null,
  speaker text collate "C" not null, -- sir.Turn.SpeakerKey
  primary key (doc, n),
  unique (doc, id)
);
create index turns_speaker on turns (doc, speaker, n) where not act;
create index turns_said on turns (doc, n) where not act;

create table mutations (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  seq bigint not null,
  version bigint not null, -- of the document
  turn bigint not null, -- 0 for none
  element text collate "C" not null,
  kind text collate "C" not null,
  element_version bigint not null,
  said_at bigint,
  recorded_at bigint,
  payload bytea, -- null: erased, or the turn's row has it
  payload_hash bytea not null,
  salt bytea, -- null once the payload is erased
  hash bytea not null,
  primary key (doc, seq)
);
create index mutations_turn on mutations (doc, turn, seq);
create index mutations_element on mutations (doc, element, seq) where element <> '';

create table elements (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  n bigint not null,
  id text collate "C" not null,
  domain text collate "C" not null,
  type text collate "C" not null,
  status text collate "C" not null,
  live boolean not null,
  body bytea, -- without evidence and entries; null: erased
  primary key (doc, n),
  unique (doc, id)
);

create table evidence (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  element bigint not null,
  i bigint not null,
  turn text collate "C" not null,
  byte_start bigint not null,
  byte_end bigint not null,
  char_start bigint not null,
  char_end bigint not null,
  quote text collate "C" not null,
  match text collate "C" not null,
  primary key (doc, element, i)
);

-- What elements are found by: hashes of their terms and keys.
create table terms (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  hash bigint not null,
  element bigint not null,
  primary key (doc, hash, element)
);

-- Which speaker set a value of which kind, where.
create table said (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  speaker text collate "C" not null,
  kind text collate "C" not null,
  seq bigint not null,
  i bigint not null,
  domain text collate "C" not null,
  turn bigint not null,
  element text collate "C" not null,
  field text collate "C" not null,
  primary key (doc, speaker, kind, seq, i)
);

create table pending (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  kind bigint not null, -- 0 candidate, 1 clarification, 2 conflict
  id text collate "C" not null,
  place bigint not null,
  number bigint not null, -- of a clarification
  body bytea not null,
  primary key (doc, kind, id)
);

create table drafts (
  org text collate "C" not null,
  doc bigint not null references documents (doc) on delete cascade,
  token text collate "C" not null,
  body bytea not null,
  primary key (doc, token)
);

-- Which elements have which words (store.SearchWords), as hashes. Not FTS5
-- and tsvector: under row-level security PostgreSQL may not use an index of
-- text search, since its operators are not leakproof; this serves both.
create table words (
  org text collate "C" not null,
  hash bigint not null,
  doc bigint not null references documents (doc) on delete cascade,
  element bigint not null,
  primary key (org, hash, doc, element)
);
create index words_document on words (doc, element);

-- The second wall: whatever a query forgets, a row of another organisation
-- is not there. It holds for the tables' owner, too; not for a superuser.

alter table organisations enable row level security;
alter table organisations force row level security;
create policy own on organisations using (id = current_setting('speckl.org', true)) with check (id = current_setting('speckl.org', true));

alter table documents enable row level security;
alter table documents force row level security;
create policy own on documents using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table turns enable row level security;
alter table turns force row level security;
create policy own on turns using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table mutations enable row level security;
alter table mutations force row level security;
create policy own on mutations using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table elements enable row level security;
alter table elements force row level security;
create policy own on elements using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table evidence enable row level security;
alter table evidence force row level security;
create policy own on evidence using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table terms enable row level security;
alter table terms force row level security;
create policy own on terms using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table said enable row level security;
alter table said force row level security;
create policy own on said using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table pending enable row level security;
alter table pending force row level security;
create policy own on pending using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table drafts enable row level security;
alter table drafts force row level security;
create policy own on drafts using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));

alter table words enable row level security;
alter table words force row level security;
create policy own on words using (org = current_setting('speckl.org', true)) with check (org = current_setting('speckl.org', true));
