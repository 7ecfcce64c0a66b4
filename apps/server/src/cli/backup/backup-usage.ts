export const backupUsage = `roster-server backup [--replace] [FILE]

Writes a snapshot of the whole database to FILE, or to stdout if there is no FILE or it is -. The database is that of the
settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR). Servers may run meanwhile.

  --replace   replace FILE if it exists, when the new backup is complete`;

export const restoreUsage = `roster-server restore [--after-loss] FILE
roster-server restore --check FILE

Loads a backup into the empty database of the settings (DATABASE_URL, else the local one in ROSTER_DATA_DIR), in one
transaction: all of it, or nothing. FILE is - for stdin.

  --after-loss  use it if changes made after the backup are lost: the positions of their events are not assigned again, and
                every consumer of events has to start again (410 cursor_expired)
  --check       only verify that FILE is complete; no database is used`;
