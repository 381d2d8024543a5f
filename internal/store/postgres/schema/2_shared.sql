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
