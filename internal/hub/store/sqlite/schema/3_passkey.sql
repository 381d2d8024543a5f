-- Passkeys by which people confirm what is dangerous. Only the public half is
-- here. They belong to the hub, so they do not go with a device's token.
CREATE TABLE passkeys (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    site       TEXT NOT NULL,
    credential BLOB NOT NULL,
    public     BLOB NOT NULL,
    count      INTEGER NOT NULL,
    transports TEXT NOT NULL,
    created    TEXT NOT NULL,
    used       TEXT
) STRICT, WITHOUT ROWID;
