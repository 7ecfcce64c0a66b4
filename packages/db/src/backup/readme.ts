/** For whoever opens a backup without Roster: what it is, and how its rows come back by hand. */
export const readme = `A backup of Roster, the directory service of offices and agents.

It comes back with

    roster-server restore FILE

into an empty database. Without Roster:

    tar --zstd -xf FILE && cd roster-backup
    sha256sum -c SHA256SUMS          # is it whole?

manifest.json   when it was taken, the migrations of the tables, each table with its columns
data/TABLE/     the rows in parts, each of whole rows, in PostgreSQL's COPY text format (UTF-8)
totals.json     how many rows each table has; the last number of each sequence
SHA256SUMS      the last entry: without it the backup is not complete

Into tables with those columns, without triggers and foreign keys, psql loads a table with

    cat data/agent/*.copy | psql -c 'copy agent (COLUMNS of manifest.json) from stdin'

It holds hashes of keys, secrets of webhooks and data of people: keep it as you keep the database.
`;
