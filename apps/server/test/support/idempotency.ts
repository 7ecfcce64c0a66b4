import { randomUUID } from 'node:crypto';
import type { Office } from '@roster/api';
import { afterAll, beforeAll } from 'vitest';
import { bodyOf, next } from './fixtures.ts';
import { startTestServer, type TestServer } from './index.ts';

/** Headers with an idempotency key: a new one unless given. */
export const withKey = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });

/** An office that no other test creates. */
export const newOffice = () => ({ name: `Office ${next()}`, metadata: { b: '2', a: '1' } });

/** The number of offices with a name. */
export async function countNamed(server: TestServer, { name }: { name: string }): Promise<number> {
  const found = await server.request('GET', `/offices?includeTotal=true&q=${encodeURIComponent(name)}`);
  const { items } = await bodyOf<{ items: Office[] }>(found);
  return items.filter((office) => office.name === name).length;
}

/** Two servers on one database for the tests of a file, with a clock that moves when a test says so. */
export function useServersWithClock() {
  let server: TestServer;
  let other: TestServer;
  let clock = new Date('2026-01-31T08:00:00Z');
  beforeAll(async () => {
    server = await startTestServer({ now: () => clock });
    other = await startTestServer({ now: () => clock, database: server.database, connection: {} });
  });
  afterAll(async () => {
    await other[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });
  return {
    server: () => server,
    other: () => other,
    clock: () => clock,
    pass(ms: number): void {
      clock = new Date(clock.getTime() + ms);
    },
    create: (body: unknown, headers: Record<string, string>, at: TestServer = server) =>
      at.request('POST', '/offices', body, headers),
  };
}
