import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectionTarget } from '@roster/postgres';
import { sql } from 'kysely';
import { migrate, migrateTo } from '../migrate.ts';
import { baselineChanged, isBeforeBaseline } from '../migrations/baseline-changed.ts';
import { migrations as released } from '../migrations/index.ts';
import type { ReleasedMigration } from '../migrations/released-migration.ts';
import { dropPostData, readContents } from './contents.ts';
import type { Summary } from './create.ts';
import { BackupFile, type Head } from './file.ts';
import { BackupError, type Session, withSession } from './session.ts';

/** More than the changes between a backup and a loss. A number in JavaScript can hold millions of these steps. */
const POSITIONS_LOST_MAX = 1_000_000_000;

export interface Restored extends Summary {
  /** Tables of the backup that this release does not know, which were not restored. */
  leftOut: string[];
}

/**
 * Restores a backup into an empty database in one transaction: creates the tables as of the backup, loads the rows, and
 * runs the newer migrations of this release. Foreign keys check every row.
 *
 * @param connection a database without tables, in which the user may create tables and the extension pg_trgm
 * @param source the bytes of a backup; destroyed at the end
 * @param isAfterLoss whether changes after the backup are lost, whose events clients may have read. If so, their positions are not
 *   assigned again, and clients have to read the event log from its start. Otherwise the log continues where the backup ends.
 * @param migrations by name; those of this release unless given
 * @throws BackupError if the backup is incomplete, from a newer release or from before the baseline, or the database is not empty, cannot be reached,
 * returns an error, or the connection is lost. The database is then unchanged.
 */
export async function restoreBackup(
  connection: ConnectionTarget,
  source: Readable,
  {
    isAfterLoss = false,
    migrations = released,
  }: { isAfterLoss?: boolean; migrations?: Record<string, ReleasedMigration> } = {},
): Promise<Restored> {
  using file = new BackupFile(source);
  const head = await file.readHead();
  if (isBeforeBaseline(head.migrations)) throw new BackupError(baselineChanged('This backup'));
  const known = Object.keys(migrations).sort();
  const unknown = head.migrations.find((name, index) => name !== known[index]);
  if (unknown !== undefined)
    throw new BackupError(
      `The backup is from a newer release of Roster (with the migration ${unknown}): restore it with that release.`,
    );
  return await withSession(connection, ({ db, copyIn }) =>
    db.transaction().execute(async (trx) => {
      const restored = await load({ db: trx, copyIn }, { file, head, migrations });
      if (isAfterLoss) {
        // Every position that a client may have is now older than the start of the event log, and is rejected as expired.
        const end = sql`last_position + ${POSITIONS_LOST_MAX}::bigint`;
        await sql`update event_log set last_position = ${end}, compacted_to = ${end}`.execute(trx);
      }
      // Without statistics, the first statements after a restore are planned for empty tables.
      await sql`analyze`.execute(trx);
      return restored;
    }),
  );
}

async function load(
  { db, copyIn }: Pick<Session, 'db' | 'copyIn'>,
  { file, head, migrations }: { file: BackupFile; head: Head; migrations: Record<string, ReleasedMigration> },
): Promise<Restored> {
  const { tables: present } = await readContents(db);
  if (present.length > 0)
    throw new BackupError(
      `The database is not empty (it has the table ${present[0]?.name}); nothing is overwritten. Restore into a new one.`,
    );
  await migrateTo(db, head.migrations.at(-1) ?? '', migrations);
  const { schema, tables, sequences } = await readContents(db);
  const recreatePostData = await dropPostData(db, schema);
  // The migrations inserted rows, which those of the backup replace.
  await sql`truncate ${sql.join(tables.map(({ name }) => sql.id(schema, name)))}`.execute(db);
  const restored: Restored = { takenAt: new Date(head.takenAt), rows: 0, leftOut: [] };
  const missing = new Map(tables.map((table) => [table.name, table]));
  let next = await file.readNext();
  for (; 'table' in next; next = await file.readNext()) {
    const { table: name, columns } = next;
    const table = missing.get(name);
    if (table === undefined) {
      restored.leftOut.push(name);
      for await (const _ of file.readRows());
    } else {
      const copying = copyIn({ ...table, columns });
      await pipeline(file.readRows(), copying);
      restored.rows += copying.rowCount;
      missing.delete(name);
    }
  }
  const [absent = sequences.find((name) => !(name in next.sequences))] = missing.keys();
  if (absent !== undefined) throw new BackupError(`The backup does not contain ${absent}.`);
  for (const [name, last] of Object.entries(next.sequences))
    if (last !== null && sequences.includes(name))
      await sql`select setval(format('%I.%I', ${schema}::text, ${name}::text)::regclass, ${last}::bigint)`.execute(
        db,
      );
  await recreatePostData();
  await migrate(db, { migrations });
  return restored;
}
