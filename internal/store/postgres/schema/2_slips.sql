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
