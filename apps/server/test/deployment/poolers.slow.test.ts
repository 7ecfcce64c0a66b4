import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/index.ts';
import { hasPgBouncer, startPgBouncer } from '../support/processes/pgbouncer.ts';
import { startWatchedService } from '../support/processes/watched-service.ts';

/** The lines of pgbouncer.ini that the documentation gives. */
function documentedSettings(): string {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/operations/install.md'), 'utf8');
  const [, settings = ''] = /```ini\n; pgbouncer\.ini\n([^`]*)```/.exec(page) ?? [];
  expect(settings).toContain('pool_mode = session');
  return settings;
}

/** What a command says that fails, and its exit code. */
async function failed(argv: string[], environment: Record<string, string>) {
  const lines: string[] = [];
  const print = (line: string) => lines.push(line);
  const code = await run(argv, {
    environment: { PORT: '0', ROSTER_LOG_LEVEL: 'silent', ...environment },
    print,
    printError: print,
  });
  return { code, text: lines.join('\n') };
}

describe.skipIf(!hasPgBouncer)('behind PgBouncer', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database[Symbol.asyncDispose]());

  it('in transaction mode neither the start nor --check succeeds, and both say what to set', async () => {
    const settings = documentedSettings().replace('pool_mode = session', 'pool_mode = transaction');
    await using pooler = await startPgBouncer(database, settings);
    const environment = { DATABASE_URL: pooler.url };
    const why = /^PROBLEM +sessions +.* set `pool_mode = session` in pgbouncer\.ini .*$/m;
    expect(await failed(['--check'], environment)).toEqual({ code: 1, text: expect.stringMatching(why) });
    const serving = await failed([], environment);
    expect(serving).toEqual({ code: 1, text: expect.stringMatching(why) });
    expect(serving.text).toMatch(/^Roster cannot serve:\nPROBLEM .*$(?!\n)/m);
  });

  it('a startup parameter that PgBouncer does not know is named, with the setting for it', async () => {
    await using pooler = await startPgBouncer(database, documentedSettings());
    const url = `${pooler.url}?options=-c%20work_mem%3D4MB`;
    const { code, text } = await failed(['--check'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(text).toMatch(/^PROBLEM +database .*: options; add it to ignore_startup_parameters/m);
  });

  it('a request that waits for a lock ends at the time limit of the server, as without a pooler', async () => {
    await using pooler = await startPgBouncer(database, documentedSettings());
    const settings = { ROSTER_STATEMENT_TIMEOUT_MS: '1000', ROSTER_LOG_LEVEL: 'silent' };
    await using service = await startWatchedService({ url: pooler.url }, settings);
    const response = await database.db.transaction().execute(async (trx) => {
      await sql`lock table office in access exclusive mode`.execute(trx);
      return service.request('GET', '/offices?q=locked');
    });
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'timeout' }]);
  });

  it('with the documented settings the start and --check succeed, and every request', async () => {
    await using pooler = await startPgBouncer(database, documentedSettings());
    const checked = await failed(['--check'], { DATABASE_URL: pooler.url });
    expect(checked).toEqual({ code: 0, text: expect.not.stringMatching(/^(PROBLEM|WARNING) +sessions/m) });
    await using service = await startWatchedService({ url: pooler.url }, { ROSTER_SLOW_QUERY_MS: '0' });
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => {
        const isRead = index % 3 > 0;
        const { status } = isRead
          ? await service.request('GET', `/offices?q=pooled&limit=${index + 1}`)
          : await service.request('POST', '/offices', { name: `Pooled ${index}` });
        return isRead ? status === 200 : status === 201;
      }),
    );
    expect(statuses).not.toContain(false);
    expect(service.lines().filter(({ level }) => Number(level) >= 40)).toEqual([]);
  });
});
