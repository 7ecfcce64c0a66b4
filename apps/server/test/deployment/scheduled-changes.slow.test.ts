import type { Agent, RecordEvent, ScheduledChange } from '@roster/api';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bodyOf, directoryOf, type Page } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

const HOUR_MS = 3_600_000;
const START = Date.parse('2026-01-31T08:00:00.000Z');
let now = START;
let one: TestServer;
let other: TestServer;
beforeAll(async () => {
  const clock = { now: () => new Date(now) };
  one = await startTestServer(clock);
  other = await startTestServer({ ...clock, database: one.database });
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await one[Symbol.asyncDispose]();
});

const listed = async (subject: string) =>
  bodyOf<Page<ScheduledChange>>(await other.request('GET', `/scheduled-changes?subject=${subject}`));

it('changes that were scheduled on one server happen once on any of two, each at its time', async () => {
  const agents = await Promise.all(Array.from({ length: 12 }, () => directoryOf(one).agent()));
  for (const [index, { id }] of agents.entries()) {
    const effectiveAt = new Date(now + (index < 6 ? 1 : 2) * HOUR_MS).toISOString();
    const response = await one.request('PUT', `/agents/${id}/deactivate`, { effectiveAt });
    expect(await bodyOf<Agent>(response)).toMatchObject({ version: 2, scheduledChanges: [{ effectiveAt }] });
  }
  now = START + HOUR_MS;
  const statuses = async () => {
    const found = await Promise.all(agents.map(async ({ id }) => (await listed(id)).items[0]?.status));
    return {
      done: found.filter((status) => status === 'done').length,
      isEarly: found.slice(6).includes('done'),
    };
  };
  await expect.poll(statuses).toEqual({ done: 6, isEarly: false });
  now = START + 2 * HOUR_MS;
  await expect.poll(statuses).toEqual({ done: 12, isEarly: true });
  for (const { id } of agents) {
    const events = async () =>
      bodyOf<{ items: RecordEvent<'agents'>[] }>(await other.request('GET', `/events?subject=${id}`));
    await expect.poll(async () => (await events()).items.length).toBe(3);
    expect((await events()).items.map(({ type }) => type)).toEqual([
      ...['agent.created', 'agent.updated', 'agent.deactivated'],
    ]);
  }
});

it('a change that is cancelled on one server does not happen on the other', async () => {
  const { id } = await directoryOf(one).agent();
  const effectiveAt = new Date(now + HOUR_MS).toISOString();
  const scheduled = await one.request('PUT', `/agents/${id}/deactivate`, { effectiveAt });
  const [change] = (await bodyOf<Agent>(scheduled)).scheduledChanges;
  const cancelled = await other.request('DELETE', `/scheduled-changes/${change?.id}`);
  expect(cancelled.status).toBe(200);
  expect(await cancelled.json()).toMatchObject({ id: change?.id, status: 'cancelled' });
  const marker = await directoryOf(one).agent();
  await one.request('PUT', `/agents/${marker.id}/deactivate`, { effectiveAt });
  now += HOUR_MS;
  await expect.poll(async () => (await listed(marker.id)).items[0]?.status).toBe('done');
  const agent = await bodyOf<Agent>(await one.request('GET', `/agents/${id}`));
  expect(agent).toMatchObject({ status: 'active', version: 3, scheduledChanges: [] });
});
