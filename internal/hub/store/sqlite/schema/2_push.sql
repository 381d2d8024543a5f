-- Devices that want to be told. One device has one browser, and one browser
-- belongs to one device. The subscription goes with its token.
CREATE TABLE push_subscribers (
    token    TEXT PRIMARY KEY REFERENCES tokens (id) ON DELETE CASCADE,
    endpoint TEXT NOT NULL UNIQUE,
    body     BLOB NOT NULL,
    told     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- The key by which push services know this hub.
CREATE TABLE push_key (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key BLOB NOT NULL
) STRICT;
