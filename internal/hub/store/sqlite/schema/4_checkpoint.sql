-- Where the log begins, once it was pruned: a signed note of what is gone.
CREATE TABLE checkpoint (
    one  INTEGER PRIMARY KEY CHECK (one = 1),
    seq  INTEGER NOT NULL,
    body BLOB NOT NULL
) STRICT;
