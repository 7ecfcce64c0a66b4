import { setTimeout } from 'node:timers/promises';
import type { Problem } from '@roster/api';
import { deleteExpiredResponses } from '@roster/api/testing';
import { describe, expect, it } from 'vitest';
import { countNamed, newOffice, useServersWithClock, withKey } from '../support/idempotency.ts';

const HOUR_MS = 60 * 60 * 1_000;

const { server, other, clock, pass, create } = useServersWithClock();

describe('a stored response', () => {
  it('is purged once its time is over, by any number of servers at once', async () => {
    const { db } = server().database;
    await deleteExpiredResponses(db, new Date(clock().getTime() + 25 * HOUR_MS));
    for (let count = 0; count < 20; count += 1) await create(newOffice(), withKey());
    const later = new Date(clock().getTime() + 24 * HOUR_MS);
    pass(HOUR_MS);
    const fresh = withKey();
    const body = newOffice();
    await create(body, fresh);
    const removed = await Promise.all(Array.from({ length: 6 }, () => deleteExpiredResponses(db, later)));
    expect(removed.reduce((sum, count) => sum + count)).toBe(20);
    expect((await create(body, fresh)).headers.get('Idempotency-Replayed')).toBe('true');
  });
});

/** Sends a request until it is not in progress any more. */
async function untilDone(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    if (response.status !== 409) return response;
    expect(response.headers.get('Retry-After')).toMatch(/^\d+$/);
    await response.arrayBuffer();
    await setTimeout(20);
  }
}

it('gives 50 simultaneous requests with one key, on two servers, one record and one response', async () => {
  const body = newOffice();
  const headers = withKey();
  const sends = Array.from(
    { length: 50 },
    (_, index) => () => create(body, headers, index % 2 ? other() : server()),
  );
  const responses = await Promise.all(sends.map((send) => send()));
  const bodies = await Promise.all(responses.map((response) => response.clone().text()));
  const results = new Set(bodies.filter((_, index) => responses[index]?.ok));
  expect(results.size).toBe(1);
  for (const [index, { status }] of responses.entries()) {
    if (status === 201) continue;
    expect(status).toBe(409);
    expect((JSON.parse(bodies[index] ?? '') as Problem).code).toBe('idempotency_in_progress');
  }
  const settled = await Promise.all(sends.map(untilDone));
  for (const response of settled) {
    expect(response.status).toBe(201);
    expect(results).toContain(await response.text());
  }
  expect(await countNamed(server(), body)).toBe(1);
});
