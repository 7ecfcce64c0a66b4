import type { Import } from '@roster/api';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ended, imported, upload } from '../support/file-imports.ts';
import { bodyOf, directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server[Symbol.asyncDispose]());

const path = '/imports/agents/file?mode=write&skip=lookAlikes';
/** Rows of new agents without a key, in several batches. */
const newRows = (name: string) => Array.from({ length: 1_700 }, (_, n) => `,,${name},Nr. ${n},,`);
const header = 'source.name,source.key,firstName,lastName,title,email\n';

describe('the batches of an import, several of which are written at the same time', () => {
  it('are not written again if their progress was lost, and are counted', async () => {
    const text = `${header}${newRows('Lost').join('\n')}\n`;
    const { id } = await bodyOf<Import>(await upload(server, text, { path }));
    expect(await ended(server, `/imports/${id}`)).toMatchObject({ status: 'completed', created: 1_700 });
    const { db } = server.database;
    await sql`update import set created = 500 where id = ${id}`.execute(db);
    await sql`
      update job set status = 'running', finished_at = null, next_batch = 1, changed = 500 where id = ${id}`.execute(
      db,
    );
    expect(await ended(server, `/imports/${id}`)).toMatchObject({
      status: 'completed',
      created: 1_700,
      processed: 1_700,
      errors: 0,
    });
    const { rows } = await sql<{ agents: number }>`
      select count(*)::int as agents from agent where first_name = 'Lost'`.execute(db);
    expect(rows).toEqual([{ agents: 1_700 }]);
  });

  it('change a record that several rows lead to in the order of the rows', async () => {
    const email = 'ordered@example.com';
    const source = { name: 'Ordered', key: '1' };
    const { id: agentId } = await directoryOf(server).agent({
      firstName: 'Eva',
      lastName: 'Reis',
      email,
      source,
    });
    const first = `,,Eva,Reis,First,${email}`;
    const last = 'Ordered,1,Eva,Reis,Last,';
    // In the first and the second batch.
    const others = newRows('Ordered').slice(0, 700);
    const text = `${header}${[first, ...others, last].join('\n')}\n`;
    const { status } = await imported(server, text, { path });
    expect(status).toBe('completed');
    const agent = await bodyOf<{ title: string; version: number }>(
      await server.request('GET', `/agents/${agentId}`),
    );
    expect(agent).toMatchObject({ title: 'Last', version: 3 });
  });
});
