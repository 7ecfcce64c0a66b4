import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { connect } from './connect.ts';
import { migrate, pendingMigrations } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import { createTestDatabase } from './testing/index.ts';

const names = Object.keys(migrations);
const createEmptyDatabase = () => createTestDatabase({ template: 'template0' });

describe('the migrations', () => {
  it('are applied once when ten servers start at once', async () => {
    await using empty = await createEmptyDatabase();
    const servers = Array.from({ length: 10 }, () =>
      connect({ connection: empty.connection, connectionsMax: 2 }),
    );
    const ran = await Promise.all(servers.map((db) => migrate(db)));
    await Promise.all(servers.map((db) => db.destroy()));
    expect(ran.flat()).toEqual(names);
    expect(ran.filter((some) => some.length > 0).length).toBe(1);
  });

  it('are all pending before and none after', async () => {
    await using empty = await createEmptyDatabase();
    expect(await pendingMigrations(empty.db)).toEqual(names);
    expect(await migrate(empty.db)).toEqual(names);
    expect(await pendingMigrations(empty.db)).toEqual([]);
    expect(await migrate(empty.db)).toEqual([]);
  });

  it('leave nothing behind when one fails, and say why', async () => {
    await using empty = await createEmptyDatabase();
    await sql`create table agent (mine int)`.execute(empty.db);
    await expect(migrate(empty.db)).rejects.toMatchObject({ code: '42P07' });
    expect(await pendingMigrations(empty.db)).toEqual(names);
    const { rows } = await sql`select 1 from information_schema.tables where table_name = 'office'`.execute(
      empty.db,
    );
    expect(rows).toEqual([]);
    await sql`drop table agent`.execute(empty.db);
    expect(await migrate(empty.db)).toEqual(names);
  });
});
