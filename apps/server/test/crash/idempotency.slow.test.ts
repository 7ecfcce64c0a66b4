import { randomUUID } from 'node:crypto';
import { createTestDatabase, startProxy, type TestDatabase } from '@roster/db/testing';
import { expect, it } from 'vitest';
import { bodyOf } from '../support/fixtures.ts';
import { startTestServer } from '../support/index.ts';
import { type ServiceProcess, startServiceProcess } from '../support/processes/service-process.ts';

const key = `crash-test-${randomUUID()}`;
const body = { name: 'Made by a server that died' };
const headers = { 'Idempotency-Key': randomUUID() };

/** A server that is killed by one response of PostgreSQL, which it never gets to see. */
interface Victim extends AsyncDisposable {
  request: ServiceProcess['request'];
  /** From now on the response kills it. */
  arm(): void;
}

/** Starts a server with a proxy between it and PostgreSQL, which knows the response that is to kill it. */
async function startVictim(
  database: TestDatabase,
  isFatal: (response: Buffer, connection: number) => boolean,
): Promise<Victim> {
  let service: ServiceProcess | undefined;
  let isArmed = false;
  const proxy = await startProxy(database, {
    mayPass: (response, connection) => {
      if (!isArmed || !isFatal(response, connection)) return true;
      void service?.kill();
      return false;
    },
  });
  const url = new URL(database.url);
  url.search = '';
  url.host = `127.0.0.1:${proxy.connection.port}`;
  const started = await startServiceProcess({ databaseUrl: url.href, key });
  service = started;
  return {
    request: started.request,
    arm: () => {
      isArmed = true;
    },
    [Symbol.asyncDispose]: async () => {
      await started.kill();
      await proxy[Symbol.asyncDispose]();
    },
  };
}

it('a retry gets the first response if the server was killed between commit and response', async () => {
  await using database = await createTestDatabase();
  // The record is inserted and the commit is done, and the server dies before it learns of that.
  // Other connections commit what the workers do.
  let inserting: number | undefined;
  await using victim = await startVictim(database, (response, connection) => {
    if (response.includes(body.name)) inserting = connection;
    return inserting === connection && response.includes('COMMIT\0');
  });
  expect((await victim.request('GET', '/offices')).status).toBe(200);
  victim.arm();
  await expect(victim.request('POST', '/offices', body, headers)).rejects.toThrow();

  const kept = await database.db.selectFrom('idempotent_response').select('response').execute();
  expect(kept, 'what was committed').toHaveLength(1);
  await using survivor = await startTestServer({ database });
  const retried = await survivor.request('POST', '/offices', body, headers);
  expect(retried.status).toBe(201);
  expect(retried.headers.get('Idempotency-Replayed')).toBe('true');
  expect(await bodyOf(retried)).toEqual(kept[0]?.response);
  const { items } = await bodyOf<{ items: unknown[] }>(await survivor.request('GET', '/offices'));
  expect(items).toHaveLength(1);
});

it('a retry does the work if the server was killed before the commit', async () => {
  await using database = await createTestDatabase();
  // The record is inserted, and the server dies before it can commit.
  await using victim = await startVictim(database, (response) => response.includes(body.name));
  victim.arm();
  await expect(victim.request('POST', '/offices', body, headers)).rejects.toThrow();
  await using survivor = await startTestServer({ database });
  const retried = await survivor.request('POST', '/offices', body, headers);
  expect(retried.status).toBe(201);
  expect(retried.headers.has('Idempotency-Replayed')).toBe(false);
});
