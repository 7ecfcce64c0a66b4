import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';

const UNKNOWN = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';

let scene: OfficeScene;
let all: Caller;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  all = scene.all;
  limited = await scene.limited();
});
afterAll(() => scene[Symbol.asyncDispose]());

const idsOf = ({ members }: { members: { agentId: string }[] }) => members.map(({ agentId }) => agentId);

/** What a rejected call says: its error code, and the pointer and code of each field. */
async function faultsOf(call: Promise<unknown>): Promise<string[]> {
  const error = await rejected(call);
  return [error.errorCode, ...fieldErrorsOf(error)];
}

/** A team of the visible office with these agents. */
async function aTeam(agentIds: readonly string[], officeId: string | null = scene.offices.main) {
  return all.teams.create({ name: 'Ribeira', officeId, members: agentIds.map((agentId) => ({ agentId })) });
}

/** The events of a record, the oldest first. */
async function eventsOf(caller: Caller, subject: string) {
  await scene.settle();
  return (await caller.events.list({ subject, after: '0' })).items;
}

describe('the members of a team', () => {
  it('are kept in the order of their ids, with null for absent parts', async () => {
    const { main, other } = scene.agents;
    const { members } = await all.teams.create({
      name: 'Ribeira',
      members: [{ agentId: other.toUpperCase(), role: 'lead', since: '2026-03-01' }, { agentId: main }],
    });
    expect(members).toEqual(
      [
        { agentId: main, role: 'member', title: null, since: null, until: null },
        { agentId: other, role: 'lead', title: null, since: '2026-03-01', until: null },
      ].sort((a, b) => (a.agentId < b.agentId ? -1 : 1)),
    );
  });

  it('are changed one by one, each with one event, and repeated without another version', async () => {
    const { main, branch } = scene.agents;
    const { id } = await aTeam([main]);
    const put = await all.teams.putMember({ id, agentId: branch, role: 'lead', title: 'Broker' });
    expect([put.version, idsOf(put)]).toEqual([2, [main, branch].sort()]);
    expect((await all.teams.putMember({ id, agentId: branch, role: 'lead', title: 'Broker' })).version).toBe(
      2,
    );
    const gone = await all.teams.removeMember({ id, agentId: main, ifVersion: 2 });
    expect([gone.version, idsOf(gone)]).toEqual([3, [branch]]);
    expect((await all.teams.removeMember({ id, agentId: main, ifVersion: 2 })).version).toBe(3);
    const [created, first, second] = await eventsOf(all, id);
    expect([created?.type, first?.type, second?.type]).toEqual([
      'team.created',
      'team.updated',
      'team.updated',
    ]);
    expect(idsOf(second?.previous as typeof put)).toEqual([main, branch].sort());
  });

  it('have one lead on a day, also by one at a time; the next begins on the day after', async () => {
    const { main, branch, other } = scene.agents;
    const { id } = await all.teams.create({
      name: 'Ribeira',
      members: [{ agentId: main, role: 'lead', until: '2026-02-28' }],
    });
    const lead = { id, role: 'lead' as const };
    const faults = ['validation_failed', '#/role second_lead'];
    expect(await faultsOf(all.teams.putMember({ ...lead, agentId: branch }))).toEqual(faults);
    expect(await faultsOf(all.teams.putMember({ ...lead, agentId: branch, since: '2026-02-28' }))).toEqual(
      faults,
    );
    await all.teams.putMember({ ...lead, agentId: branch, since: '2026-03-01' });
    expect(await faultsOf(all.teams.putMember({ ...lead, agentId: other, until: '2026-01-31' }))).toEqual(
      faults,
    );
  });

  it('are at most 100, and none ends before it begins, also one at a time', async () => {
    const office = scene.offices.main;
    const { results } = await all.imports.agents({
      records: Array.from({ length: 100 }, (_, index) => ({
        firstName: 'Ana',
        lastName: `M${index}`,
        officeId: office,
      })),
    });
    const { id } = await aTeam(results.map((result) => result.id ?? ''));
    const one = { id, agentId: scene.agents.main };
    expect(await faultsOf(all.teams.putMember(one))).toEqual(['validation_failed', '#/agentId too_many']);
    const backwards = { ...one, since: '2026-03-02', until: '2026-03-01' };
    expect(await faultsOf(all.teams.putMember(backwards))).toEqual([
      'validation_failed',
      '#/until out_of_range',
    ]);
  });

  it('are agents that exist', async () => {
    const { id } = await aTeam([]);
    const faultsAt = (pointer: string) => ['reference_not_found', `${pointer} not_found`];
    expect(await faultsOf(all.teams.putMember({ id, agentId: UNKNOWN }))).toEqual(faultsAt('#/agentId'));
    expect(await faultsOf(all.teams.update({ id, members: [{ agentId: UNKNOWN }] }))).toEqual(
      faultsAt('#/members'),
    );
    const gone = await all.teams.removeMember({ id, agentId: UNKNOWN });
    expect(gone.version).toBe(1);
  });

  it('stay if they are deactivated, marked as inactive with expand=members', async () => {
    const { main } = scene.offices;
    const agentId = await scene.newAgent(main, 'Leaver');
    const { id } = await aTeam([agentId]);
    await all.agents.deactivate({ id: agentId });
    const { members, version } = await all.teams.get({ id, expand: 'members' });
    expect([version, members[0]?.agent?.status, members[0]?.agent?.displayName]).toEqual([
      1,
      'inactive',
      'Ana Leaver',
    ]);
  });

  it('leave all teams if they are deleted, each with an event of the team that says who did it', async () => {
    const agentId = await scene.newAgent(scene.offices.main, 'Deleted');
    const teams = [await aTeam([agentId, scene.agents.main]), await aTeam([agentId])];
    await all.agents.delete({ id: agentId });
    const deletion = (await eventsOf(all, agentId)).at(-1);
    for (const { id } of teams) {
      const team = await all.teams.get({ id });
      expect(idsOf(team)).not.toContain(agentId);
      const event = (await eventsOf(all, id)).at(-1);
      expect(event).toMatchObject({
        type: 'team.updated',
        version: 2,
        record: JSON.parse(JSON.stringify(team)),
      });
      expect(idsOf(event?.previous as typeof team)).toContain(agentId);
      expect(event?.actorId).toBe(deletion?.actorId);
    }
  });

  it('become one if two of a team are merged, and move with the merged one to the other', async () => {
    const [survivor, duplicate] = [
      await scene.newAgent(scene.offices.main, 'Survivor'),
      await scene.newAgent(scene.offices.main, 'Duplicate'),
    ];
    const teams = [await aTeam([survivor, duplicate]), await aTeam([duplicate])];
    await all.agents.merge({ id: survivor, duplicateId: duplicate });
    for (const { id } of teams) expect(idsOf(await all.teams.get({ id }))).toEqual([survivor]);
  });

  it('find their teams', async () => {
    const agentId = await scene.newAgent(scene.offices.branch, 'Found');
    const { id } = await aTeam([agentId]);
    await aTeam([]);
    const { items, total } = await all.teams.list({ agentId: [agentId], includeTotal: true });
    expect([items.map((team) => team.id), total]).toEqual([[id], 1]);
  });
});

describe('a caller that is limited to an office', () => {
  it('sees the teams of its offices, and of their members those it may see, wherever they are', async () => {
    const { main, branch, other } = scene.agents;
    const { id } = await aTeam([main, other]);
    const hidden = await aTeam([main], scene.offices.other);
    await all.teams.putMember({ id, agentId: branch });
    await scene.settle();
    expect(idsOf(await limited.teams.get({ id }))).toEqual([main, branch].sort());
    expect(idsOf(await limited.teams.get({ id, expand: 'members' }))).toEqual([main, branch].sort());
    const whole = await all.teams.get({ id });
    const members = whole.members.filter(({ agentId }) => agentId !== other);
    expect(JSON.stringify(await limited.teams.get({ id }))).toBe(JSON.stringify({ ...whole, members }));
    const page = await limited.teams.list({ ids: [id, hidden.id], includeTotal: true });
    expect([page.items.map(idsOf), page.total]).toEqual([[[main, branch].sort()], 1]);
    expect(idsOf(await limited.teams.update({ id, phoneExt: '7' }))).toEqual([main, branch].sort());
    const texts = [
      await eventsOf(limited, id),
      await limited.teams.history({ id }),
      await limited.teams.revert({ id, toVersion: 1, dryRun: true }),
      await limited.teams.bulk({
        filter: { ids: [id] },
        change: { type: 'update', patch: { members: [] } },
        dryRun: true,
      }),
    ].map((response) => JSON.stringify(response));
    for (const text of texts) expect(text).not.toContain(other);
    await all.teams.delete({ id });
    const deleted = await limited.deletedRecords.list({ resource: ['teams'] });
    expect(JSON.stringify(deleted)).toContain(id);
    expect(JSON.stringify(deleted)).not.toContain(other);
  });

  it('finds no team by a member it does not see', async () => {
    const { id } = await aTeam([scene.agents.other]);
    const query = { ids: [id], agentId: [scene.agents.other], includeTotal: true };
    expect(await limited.teams.list(query)).toMatchObject({ items: [], total: 0 });
    expect((await all.teams.list(query)).total).toBe(1);
  });

  it('changes the members it sees, and leaves the others as they are', async () => {
    const { main, branch, other } = scene.agents;
    const { id } = await all.teams.create({
      name: 'Ribeira',
      officeId: scene.offices.main,
      members: [{ agentId: main }, { agentId: other, title: 'Hidden' }],
    });
    const stays = async () => (await all.teams.get({ id })).members.find(({ agentId }) => agentId === other);
    await limited.teams.update({ id, members: [{ agentId: branch, role: 'lead' }] });
    expect(idsOf(await all.teams.get({ id }))).toEqual([branch, other].sort());
    await limited.teams.removeMember({ id, agentId: branch });
    await limited.teams.removeMember({ id, agentId: other });
    expect(await stays()).toMatchObject({ title: 'Hidden' });
    await limited.teams.revert({ id, toVersion: 1 });
    expect(idsOf(await all.teams.get({ id }))).toEqual([main, other].sort());
    const { version } = await all.teams.get({ id });
    const same = await limited.teams.update({ id, members: [{ agentId: main }] });
    expect(same.version).toBe(version);
    expect(await stays()).toMatchObject({ title: 'Hidden' });
  });

  it('is told of a hidden agent what it is told of none, whether the agent is a member or not', async () => {
    const { other, none } = scene.agents;
    const { id } = await aTeam([other]);
    for (const agentId of [other, none, UNKNOWN]) {
      const faults = ['reference_not_found', '#/members not_found'];
      expect(await faultsOf(limited.teams.putMember({ id, agentId }))).toEqual([
        'reference_not_found',
        '#/agentId not_found',
      ]);
      expect(await faultsOf(limited.teams.update({ id, members: [{ agentId }] }))).toEqual(faults);
      expect((await limited.teams.removeMember({ id, agentId })).version).toBe(1);
    }
  });

  it('imports the members it sees, and leaves the others as they are', async () => {
    const { main, branch, other } = scene.agents;
    const source = { name: 'MLS', key: 'T-1' };
    const team = { name: 'Ribeira', officeId: scene.offices.main, source };
    const { id } = await all.teams.create({ ...team, members: [{ agentId: main }, { agentId: other }] });
    const importing = (agentId: string) =>
      limited.imports.teams({ records: [{ ...team, members: [{ agentId }] }], mode: 'upsert' });
    expect(await importing(branch)).toMatchObject({ updated: 1 });
    expect(idsOf(await all.teams.get({ id }))).toEqual([branch, other].sort());
    expect((await faultsOf(importing(other)))[0]).toBe('reference_not_found');
  });
});
