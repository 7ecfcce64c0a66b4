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

/** More than can happen between a backup and a loss. JavaScript numbers can hold millions of these steps. */
const POSITIONS_LOST_MAX = 1_000_000_000;

export interface Restored extends Summary {
  /** Unknown tables of the backup, which were not restored. */
  leftOut: string[];
}

/**
 * Restores a backup into an empty database in one transaction: creates its tables, loads the rows, and runs
 * newer migrations. Foreign keys check every row.
 *
 * @param connection a database without tables, whose user can create tables and the extension pg_trgm
 * @param source destroyed at the end
 * @param isAfterLoss whether changes since the backup are lost whose events clients may have read. Their
 * positions are then not reused, and clients must read the log from its start. Otherwise the log continues.
 * @param migrations by name; defaults to those of this release
 * @throws BackupError if the backup is incomplete, newer or from before the baseline, or the database is not
 * empty, can't be reached, or fails. The database is then unchanged.
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
        // Clients' positions are now before the start of the log, and are rejected as expired.
        const end = sql<string>`last_position + ${POSITIONS_LOST_MAX}::bigint`;
        await trx.updateTable('event_log').set({ last_position: end, compacted_to: end }).execute();
      }
      // Without statistics, the first statements are planned for empty tables. The builder has no `analyze`.
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
  // Rows of the backup replace those inserted by migrations. The builder has no `truncate`.
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
