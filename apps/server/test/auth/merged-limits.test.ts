import type { Agent, Job, KeyWithSecret } from '@roster/api';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { bodyOf, directoryOf, next } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';

/** Two servers of one database. */
let here: TestServer;
let there: TestServer;
beforeAll(async () => {
  here = await startTestServer();
  there = await startTestServer({ database: here.database });
});
afterAll(async () => {
  await there[Symbol.asyncDispose]();
  await here[Symbol.asyncDispose]();
});

/** A key that is limited to one of two offices, and an agent of the other one. */
let key: KeyWithSecret;
let agent: Agent;
let pair: { id: string; duplicateId: string };
/** The MLS ID of the other office, by which a job selects it. */
let mlsId: string;
beforeEach(async () => {
  const { office, agent: createAgent } = directoryOf(here);
  mlsId = `M${next()}`;
  const [survivor, duplicate] = [await office({ mlsId }), await office()];
  pair = { id: survivor.id, duplicateId: duplicate.id };
  agent = await createAgent({ officeId: survivor.id });
  key = await keyWith(here, ['agents:read', 'agents:write'], { officeIds: [duplicate.id] });
  // Now both servers have the key with its limit in memory.
  expect([await statusAt(here), await statusAt(there)]).toEqual([404, 404]);
});

/** The status of a change of the agent with the key. */
async function statusAt({ request }: TestServer): Promise<number> {
  const response = await request('PATCH', `/agents/${agent.id}`, { bio: 'x' }, bearer(key.secret));
  await response.arrayBuffer();
  return response.status;
}

const merge = () => here.request('POST', `/offices/${pair.id}/merge`, { duplicateId: pair.duplicateId });

/** Waits until a job has ended. */
async function jobEnds(result: Promise<Response>): Promise<string> {
  const { id } = await bodyOf<Job>(await result);
  const statusOf = async () => (await bodyOf<Job>(await here.request('GET', `/jobs/${id}`))).status;
  await expect.poll(statusOf, { timeout: 10_000 }).toBe('completed');
  return id;
}

describe('a limit to an office', () => {
  it('follows its merge and the undo of that at once where they were made, and elsewhere within a second', async () => {
    expect((await merge()).status).toBe(200);
    expect(await statusAt(here)).toBe(200);
    await expect.poll(() => statusAt(there)).toBe(200);
    expect((await here.request('PUT', `/offices/${pair.duplicateId}/unmerge`)).status).toBe(200);
    expect(await statusAt(here)).toBe(404);
    await expect.poll(() => statusAt(there)).toBe(404);
  });

  it('does the same if a job puts the other office below it, and another job undoes that', async () => {
    const change = { type: 'update', patch: { mainOfficeId: pair.duplicateId } };
    const below = { filter: { mlsId: [mlsId] }, change, expectedCount: 1 };
    const id = await jobEnds(here.request('POST', '/offices/bulk', below));
    for (const server of [here, there]) await expect.poll(() => statusAt(server)).toBe(200);
    await jobEnds(here.request('PUT', `/jobs/${id}/undo`));
    for (const server of [here, there]) await expect.poll(() => statusAt(server)).toBe(404);
  });
});
