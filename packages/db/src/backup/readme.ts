/** The README of a backup: what it contains, and how to load its rows without Roster. */
export const readme = `A backup of Roster, the directory service.

Restore it with

    roster-server restore FILE

into an empty database. Without Roster:

    tar --zstd -xf FILE && cd roster-backup
    sha256sum -c SHA256SUMS          # is it complete?

manifest.json   the time of the snapshot, the migrations of the tables, each table with its columns
data/TABLE/     the rows in files, each of whole rows, in PostgreSQL's COPY text format (UTF-8)
totals.json     the number of rows of each table; the last value of each sequence
SHA256SUMS      the last entry: without it the backup is not complete

To load a table with psql, create it with those columns and without triggers and foreign keys:

    cat data/agent/*.copy | psql -c 'copy agent (COLUMNS of manifest.json) from stdin'

It contains hashes of keys, secrets of webhooks and personal data: protect it like the database.
`;
