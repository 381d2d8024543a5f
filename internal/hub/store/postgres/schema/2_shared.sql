-- Secrets of ceremonies with passkeys, which count once and for minutes, by their
-- hash: a ceremony begins at one hub and ends at another. The secrets themselves
-- are nowhere. Holders and bodies are bytes because people and agents name things.
CREATE TABLE slips (
    hash    bytea PRIMARY KEY,
    kind    text COLLATE "C" NOT NULL,
    holder  bytea NOT NULL,
    created text COLLATE "C" NOT NULL,
    expires text COLLATE "C" NOT NULL,
    body    bytea NOT NULL
);

-- What the hub that tells people must know when it takes over from another, by the
-- name of the work: which notes are out there, and which links in them are good.
CREATE TABLE memories (
    name text COLLATE "C" PRIMARY KEY,
    body bytea NOT NULL
);

-- Files that people sent to agents, for a week: one is sent to any hub, and the
-- agent lives with another. They are in pieces, so that no statement carries a whole
-- one. Photos do not become smaller, so nobody tries.
CREATE TABLE files (
    id   text COLLATE "C" PRIMARY KEY,
    name bytea NOT NULL,
    size bigint NOT NULL,
    kept timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE file_pieces (
    file text COLLATE "C" NOT NULL REFERENCES files (id) ON DELETE CASCADE,
    n    int NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (file, n)
);
ALTER TABLE file_pieces ALTER COLUMN body SET STORAGE EXTERNAL;

-- What hubs seal their wake-ups with, which everybody hears who may connect.
CREATE TABLE note_key (
    one int PRIMARY KEY CHECK (one = 1),
    key bytea NOT NULL
);
