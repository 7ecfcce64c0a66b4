import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { connect } from './connect.ts';
import { migrate, migrationState } from './migrate.ts';
import { createTestDatabase } from './testing/index.ts';

it('the role of deploy/postgres can migrate the database of the service, and has no other privileges', async () => {
  const script = await readFile(new URL('../../../deploy/postgres/10-roster.sh', import.meta.url), 'utf8');
  const [, statements = ''] = /<<'SQL'\n([\s\S]*)\nSQL/.exec(script) ?? [];
  const role = `roster_owner_${process.pid}`;
  // Without the command of psql that reads the password.
  const renamed = statements
    .replace(/^\\set .*\n/, '')
    .replaceAll(/\broster\b/g, role)
    .replace(":'password'", "'secret'");
  await using superuser = await createTestDatabase({ template: 'template0' });
  const run = (statement: string) => sql.raw(statement).execute(superuser.db);
  try {
    for (const statement of renamed.split('\n')) await run(statement);
    const url = new URL(superuser.url);
    Object.assign(url, { username: role, password: 'secret', pathname: `/${role}` });
    const db = connect({ connection: url.href, timeouts: { statementMs: 0 } });
    try {
      await migrate(db);
      expect(await migrationState(db)).toEqual({ pending: [], unknown: [] });
      const { rows } = await sql`
        select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles
        where rolname = current_user`.execute(db);
      expect(Object.values(rows[0] ?? {})).toEqual([false, false, false, false, false]);
    } finally {
      await db.destroy();
    }
  } finally {
    await run(`drop database if exists ${role}`);
    await run(`drop role if exists ${role}`);
  }
});
