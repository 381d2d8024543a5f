-- The log. An event's bytes and hash are kept as they were sealed; the other
-- columns only help to find it, and Verify checks that they agree with the body.
CREATE TABLE events (
    seq     INTEGER PRIMARY KEY,
    kind    TEXT NOT NULL,
    agent   TEXT,
    request TEXT,
    body    BLOB NOT NULL,
    hash    BLOB NOT NULL
) STRICT;

-- Every index ends with seq, as all do in a table with an integer key.
CREATE INDEX events_kind    ON events (kind);
CREATE INDEX events_agent   ON events (agent, kind) WHERE agent   IS NOT NULL;
CREATE INDEX events_request ON events (request)     WHERE request IS NOT NULL;

-- Where the log ends. It is written together with the events, so that a tail
-- that was cut off is missed.
CREATE TABLE head (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    seq  INTEGER NOT NULL,
    hash BLOB NOT NULL
) STRICT;
INSERT INTO head VALUES (1, 0, zeroblob(32));

-- The newest saved state: it saves time at the start, and is no truth.
CREATE TABLE state (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    seq  INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- The vault. Times are UTC text of fixed width, so that they sort.
CREATE TABLE tokens (
    id      TEXT PRIMARY KEY,
    name    TEXT NOT NULL,
    rights  TEXT NOT NULL,
    room    TEXT NOT NULL,
    hash    BLOB NOT NULL,
    created TEXT NOT NULL,
    expires TEXT,
    used    TEXT
) STRICT, WITHOUT ROWID;
