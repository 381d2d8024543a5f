-- The log. An event's bytes and hash are kept as they were sealed; the other
-- columns only help to find it, and Verify checks that they agree with the body.
-- Ids are bytes, not text: agents may put anything into them, and PostgreSQL
-- takes neither a zero byte nor odd UTF-8 for text.
CREATE TABLE events (
    seq     bigint PRIMARY KEY,
    kind    text COLLATE "C" NOT NULL,
    agent   bytea,
    request bytea,
    body    bytea NOT NULL,
    hash    bytea NOT NULL
);
CREATE INDEX events_kind    ON events (kind, seq);
CREATE INDEX events_agent   ON events (agent, kind, seq) WHERE agent   IS NOT NULL;
CREATE INDEX events_request ON events (request, seq)     WHERE request IS NOT NULL;

-- Where the log ends. Whoever appends moves it, and its lock is what puts the
-- hubs in a row. The free room lets it be written over in its own page.
CREATE TABLE head (
    one  int PRIMARY KEY CHECK (one = 1),
    seq  bigint NOT NULL,
    hash bytea NOT NULL
) WITH (fillfactor = 10);
INSERT INTO head VALUES (1, 0, decode(repeat('00', 32), 'hex'));

-- Saved states: they save time at the start, and are no truth. Two releases
-- that share the log keep one each.
CREATE TABLE state (
    version int PRIMARY KEY,
    seq     bigint NOT NULL,
    hash    bytea NOT NULL,
    body    bytea NOT NULL
);

-- Where the log begins, once it was pruned: a signed note of what is gone.
CREATE TABLE checkpoint (
    one  int PRIMARY KEY CHECK (one = 1),
    seq  bigint NOT NULL,
    body bytea NOT NULL
);

-- Who of the hubs does something that only one should do, until when.
CREATE TABLE leases (
    name   text COLLATE "C" PRIMARY KEY,
    holder text NOT NULL,
    until  timestamptz NOT NULL
);

-- The vault. Times are UTC text of fixed width, so that they sort and keep
-- their nanoseconds.
CREATE TABLE tokens (
    id      text COLLATE "C" PRIMARY KEY,
    name    text NOT NULL,
    rights  text NOT NULL,
    room    text NOT NULL,
    hash    bytea NOT NULL,
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C",
    used    text COLLATE "C"
);

-- Devices that want to be told. One device has one browser, and one browser
-- belongs to one device. The subscription goes with its token.
CREATE TABLE push_subscribers (
    token    text COLLATE "C" PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
    endpoint text COLLATE "C" NOT NULL UNIQUE,
    body     bytea NOT NULL,
    told     bytea NOT NULL
);

-- The key by which push services know these hubs.
CREATE TABLE push_key (
    one int PRIMARY KEY CHECK (one = 1),
    key bytea NOT NULL
);

-- Passkeys by which people confirm what is dangerous. Only the public half is
-- here. They belong to the hubs, so they do not go with a device's token.
CREATE TABLE passkeys (
    id         text COLLATE "C" PRIMARY KEY,
    name       text NOT NULL,
    site       text NOT NULL,
    credential bytea NOT NULL,
    public     bytea NOT NULL,
    count      bigint NOT NULL,
    transports text NOT NULL,
    created    text COLLATE "C" NOT NULL,
    used       text COLLATE "C"
);
