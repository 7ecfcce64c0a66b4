import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { imported } from '../../support/file-imports.ts';
import { newSource } from '../../support/fixtures.ts';
import { useServer } from '../../support/use-server.ts';

const server = useServer();
const COUNT = 20_000;

it('a large file can be imported again at once, with tables that PostgreSQL takes for small ones', async () => {
  const { db } = server().database;
  for (const table of ['agent', 'import_row'])
    await sql`alter table ${sql.table(table)} set (autovacuum_enabled = false)`.execute(db);
  const { name } = newSource();
  const rows = Array.from({ length: COUNT }, (_, key) => `${key},Ana,Reis ${key},a${key}@repeated.example`);
  const fileOf = (count: number) =>
    ['source.key,firstName,lastName,email', ...rows.slice(0, count)].join('\n');
  const path = `/imports/agents/file?sourceName=${name}&mode=write&skip=lookAlikes`;
  await imported(server(), fileOf(500), { path });
  await sql`analyze agent, import_row`.execute(db);
  const file = fileOf(COUNT);
  expect(await imported(server(), file, { path })).toMatchObject({
    status: 'completed',
    created: COUNT - 500,
  });
  await sql`analyze agent`.execute(db);
  expect(await imported(server(), file, { path })).toMatchObject({ status: 'completed', unchanged: COUNT });
}, 180_000);
