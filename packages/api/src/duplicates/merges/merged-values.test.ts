import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';

let scene: OfficeScene;
let all: Caller;
let agent: OfficeScene['createAgent'];
beforeAll(async () => {
  scene = await officeScene();
  all = scene.all;
  agent = scene.createAgent;
});
afterAll(() => scene[Symbol.asyncDispose]());

/** Merges two new agents: tries it first, which must show the same, and takes it back afterwards, which must restore both. */
async function mergeAgents(
  survivor: Parameters<typeof agent>[0],
  duplicate: Parameters<typeof agent>[0],
  fields?: Parameters<Caller['agents']['merge']>[0]['fields'],
) {
  const [one, other] = [await agent(survivor), await agent(duplicate)];
  const pair = { id: one.id, duplicateId: other.id, ...(fields && { fields }) };
  const { mergeId: _, updatedAt: __, ...preview } = await all.agents.merge({ ...pair, dryRun: true });
  const merged = await all.agents.merge(pair);
  expect(merged).toMatchObject(preview);
  await all.agents.unmerge({ id: other.id });
  for (const before of [one, other]) {
    const { version: ___, updatedAt: ____, ...lasting } = before;
    expect(await all.agents.get({ id: before.id })).toMatchObject(lasting);
  }
  return merged;
}

describe('a merge', () => {
  it('adds to a licence that both have what only the duplicate knows of it, however its number is written', async () => {
    const merged = await mergeAgents(
      {
        licenses: [
          { number: 'L-1', region: 'FL' },
          { number: 'L2', region: 'FL', type: 'Broker' },
        ],
      },
      {
        licenses: [
          { number: 'l1', region: 'FL', type: 'Sales', expiresOn: '2031-05-01' },
          { number: 'L2', region: 'FL', type: 'Sales', expiresOn: '2032-05-01' },
          { number: 'L1', region: 'GA' },
        ],
      },
    );
    expect(merged.licenses).toEqual([
      { number: 'L-1', region: 'FL', type: 'Sales', expiresOn: '2031-05-01' },
      { number: 'L2', region: 'FL', type: 'Broker', expiresOn: '2032-05-01' },
      { number: 'L1', region: 'GA', type: null, expiresOn: null },
    ]);
    expect(merged.nextLicenseExpiresOn).toBe('2031-05-01');
  });

  it('keeps the later last day of a licence that both have, whichever of them was renewed', async () => {
    const [old, renewed] = [
      [{ number: 'L1', region: 'FL', expiresOn: '2026-05-01' }],
      [{ number: 'l-1', expiresOn: '2028-05-01' }],
    ];
    expect((await mergeAgents({ licenses: old }, { licenses: renewed })).licenses).toEqual([
      { number: 'L1', region: 'FL', type: null, expiresOn: '2028-05-01' },
    ]);
    expect((await mergeAgents({ licenses: renewed }, { licenses: old })).licenses).toEqual([
      { number: 'l-1', region: 'FL', type: null, expiresOn: '2028-05-01' },
    ]);
  });

  it('adds to an address the parts that it lacks, also of an office', async () => {
    const merged = await mergeAgents(
      { address: { city: 'Miami' } },
      { address: { city: 'miami', postalCode: '33101', country: 'US' } },
    );
    expect(merged.address).toMatchObject({ city: 'Miami', postalCode: '33101', country: 'US', line1: null });
    const [one, other] = [
      await all.offices.create({ name: 'Casa', mailingAddress: { city: 'Miami' } }),
      await all.offices.create({ name: 'Casa', mailingAddress: { postalCode: '33101', country: 'US' } }),
    ];
    expect((await all.offices.merge({ id: one.id, duplicateId: other.id })).mailingAddress).toMatchObject({
      city: 'Miami',
      postalCode: '33101',
      country: 'US',
    });
  });

  it('makes no third address of two that contradict each other, unless it is told to', async () => {
    const [miami, orlando] = [
      { address: { city: 'Miami' } },
      { address: { city: 'Orlando', postalCode: '32801' } },
    ];
    expect((await mergeAgents(miami, orlando)).address).toMatchObject({ city: 'Miami', postalCode: null });
    expect((await mergeAgents(miami, orlando, { address: 'both' })).address).toMatchObject({
      city: 'Miami',
      postalCode: '32801',
    });
    expect((await mergeAgents(miami, orlando, { address: 'duplicate' })).address).toMatchObject({
      city: 'Orlando',
      postalCode: '32801',
    });
  });

  it('unites the pairs of both, whatever their names are', async () => {
    const merged = await mergeAgents(
      { metadata: { a: '1' } },
      { metadata: { a: '2', until: '3', since: '4' } },
    );
    expect(merged.metadata).toEqual({ a: '1', until: '3', since: '4' });
  });

  it('never mixes the name and the key of two sources', async () => {
    const merged = await mergeAgents(
      { source: { name: 'MLS', key: 'one' } },
      { source: { name: 'CRM', key: 'two' } },
    );
    expect(merged.source).toEqual({ name: 'MLS', key: 'one' });
  });

  it('leaves an extension with its telephone number', async () => {
    const [one, other] = ['+351210000001', '+351210000002'];
    const with12 = { phone: other, phoneExt: '12' };
    expect(await mergeAgents({ phone: one }, with12)).toMatchObject({ phone: one, phoneExt: null });
    expect(await mergeAgents({ phone: other }, with12)).toMatchObject(with12);
    expect(await mergeAgents({}, with12)).toMatchObject(with12);
    expect(await mergeAgents({ phone: one, phoneExt: '7' }, with12, { phone: 'duplicate' })).toMatchObject(
      with12,
    );
    expect(
      await mergeAgents({ phone: one, phoneExt: '7' }, { phone: other }, { phone: 'duplicate' }),
    ).toMatchObject({ phone: other, phoneExt: null });
  });

  it('adds to an affiliation and a membership that both have what only the duplicate knows of it', async () => {
    const { other, main } = scene.offices;
    const merged = await mergeAgents(
      { officeId: main, affiliations: [{ officeId: other }] },
      { officeId: main, affiliations: [{ officeId: other, title: 'Guest' }] },
    );
    expect(merged.affiliations).toEqual([expect.objectContaining({ officeId: other, title: 'Guest' })]);
    const [first, second, third] = [await agent(), await agent(), await agent()];
    const one = await all.teams.create({
      name: 'Team',
      members: [{ agentId: first.id, since: '2026-01-01' }, { agentId: second.id }],
    });
    const two = await all.teams.create({
      name: 'Team',
      members: [
        { agentId: first.id, title: 'Consultant', since: '2020-01-01', until: '2025-12-31' },
        { agentId: second.id, since: '2020-01-01', until: '2025-12-31' },
        { agentId: third.id },
      ],
    });
    const { members } = await all.teams.merge({ id: one.id, duplicateId: two.id });
    // Nobody leaves a team by a merge.
    expect(members).toEqual([
      { agentId: first.id, role: 'member', title: 'Consultant', since: '2026-01-01', until: null },
      { agentId: second.id, role: 'member', title: null, since: '2020-01-01', until: null },
      { agentId: third.id, role: 'member', title: null, since: null, until: null },
    ]);
  });
});
