import type { ImportResponse } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { call, dataOf } from '../../support/calls.ts';
import { type Body, bodyOf, directoryOf, newSource } from '../../support/fixtures.ts';
import { startTestServer } from '../../support/index.ts';
import { expectProblem } from '../../support/problems.ts';
import { ana, useImports } from './import-scene.ts';

const { server, post } = useImports();

describe('what a body may hold', () => {
  it('is 500 records, and 4 MiB, over REST and RPC; every other operation takes what it took', async () => {
    const { name, of } = newSource();
    const records = Array.from({ length: 500 }, (_, index) => ({
      ...ana,
      source: of(`${index}`),
      bio: 'x'.repeat(3_900),
    }));
    expect(JSON.stringify({ records }).length).toBeGreaterThan(256 * 1024);
    expect(await bodyOf(await post('agents', { records }))).toMatchObject({ created: 500 });
    const again = await call(server(), ['imports.agents', { mode: 'upsert', records }]);
    expect(await dataOf<ImportResponse>(again)).toMatchObject({ unchanged: 500 });
    const { total } = await directoryOf(server()).list(
      'agents',
      `sourceName=${name}&limit=1&includeTotal=true`,
    );
    expect(total).toBe(500);
    const large = { records: [{ ...ana, bio: 'x'.repeat(4 * 1024 * 1024) }] };
    await expectProblem(await post('agents', large), 'payload_too_large');
    await expectProblem(
      await server().request('POST', '/agents', { ...ana, bio: 'x'.repeat(256 * 1024) }),
      'payload_too_large',
    );
  });
});

it('is in the feed like any change: a reader who follows it holds what was imported', async () => {
  await using fresh = await startTestServer();
  const { of } = newSource();
  const [b, a] = ['b', 'a'].map((key) => ({ name: key, source: of(key) }));
  const upsert = (records: (Body | undefined)[]) =>
    fresh.request('POST', '/imports/offices', { mode: 'upsert', records });
  await upsert([{ ...b, mainOfficeSourceKey: 'a' }, a]);
  await upsert([{ ...a, bio: 'x' }, b]);
  const told = async () => {
    const { items } = await bodyOf<{ items: { type: string; record: Body }[] }>(
      await fresh.request('GET', '/events'),
    );
    return items.map(({ type, record }) => `${type} ${record.name}`);
  };
  await expect.poll(told).toEqual(['office.created b', 'office.created a', 'office.updated a']);
});
