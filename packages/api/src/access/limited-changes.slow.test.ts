import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';

let scene: OfficeScene;
let limited: Caller;
const invalidateLimits = vi.fn();
beforeEach(async () => {
  scene = await officeScene();
  const committed = (what: string) => {
    if (what === 'offices') invalidateLimits();
  };
  limited = await scene.limited(undefined, { request: { committed } });
  invalidateLimits.mockClear();
});
afterEach(() => scene[Symbol.asyncDispose]());

const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;
const ana = { firstName: 'Ana', lastName: 'Reis' };

/** The error of a reference, without the id. */
async function referenceError(call: Promise<unknown>) {
  const error = await rejected(call);
  return { code: error.errorCode, detail: error.message, fields: fieldErrorsOf(error) };
}

describe('a limited caller', () => {
  it('changes visible agents by every operation, and no others', async () => {
    const { agents, offices } = scene;
    const operations: ((caller: Caller, id: string) => Promise<unknown>)[] = [
      ({ agents: a }, id) => a.update({ id, title: 'Broker' }),
      ({ agents: a }, id) => a.update({ id }),
      ({ agents: a }, id) => a.deactivate({ id }),
      ({ agents: a }, id) => a.reactivate({ id }),
      ({ agents: a }, id) => a.transfer({ id, officeId: offices.branch }),
      ({ agents: a }, id) => a.revert({ id, toVersion: 1 }),
      ({ agents: a }, id) => a.delete({ id }),
      ({ agents: a }, id) => a.restore({ id }),
    ];
    for (const operation of operations) {
      for (const id of [agents.other, agents.none, randomUUID()])
        expect(await codeOf(operation(limited, id))).toBe('not_found');
      await operation(limited, agents.main);
    }
    expect(await scene.all.agents.get({ id: agents.other })).toMatchObject({ version: 1 });
  });

  it('changes visible offices by every operation, and no others', async () => {
    const { offices } = scene;
    const empty = (await limited.offices.create({ name: 'Maia', mainOfficeId: offices.main })).id;
    const grown = await scene.limited();
    const operations: ((caller: Caller, id: string) => Promise<unknown>)[] = [
      ({ offices: o }, id) => o.update({ id, name: 'Braga' }),
      ({ offices: o }, id) => o.deactivate({ id }),
      ({ offices: o }, id) => o.deactivate({ id, cascade: true }),
      ({ offices: o }, id) => o.reactivate({ id }),
      ({ offices: o }, id) => o.revert({ id, toVersion: 1 }),
      ({ offices: o }, id) => o.transferAgents({ id, toOfficeId: offices.branch }),
      ({ offices: o }, id) => o.delete({ id }),
      ({ offices: o }, id) => o.restore({ id }),
    ];
    for (const operation of operations) {
      for (const id of [offices.other, randomUUID()])
        expect(await codeOf(operation(grown, id))).toBe('not_found');
      await operation(grown, empty);
    }
    expect(await scene.all.offices.get({ id: offices.other })).toMatchObject({ version: 1 });
  });

  it('creates agents in visible offices alone', async () => {
    const { offices } = scene;
    expect(await limited.agents.create({ ...ana, officeId: offices.branch })).toMatchObject({ version: 1 });
    for (const officeId of [undefined, null])
      expect(await codeOf(limited.agents.create({ ...ana, officeId }))).toBe('insufficient_scope');
    const ofNone = await referenceError(scene.all.agents.create({ ...ana, officeId: randomUUID() }));
    for (const officeId of [offices.other, randomUUID()])
      expect(await referenceError(limited.agents.create({ ...ana, officeId }))).toEqual(ofNone);
  });

  it('creates offices below visible ones alone, and its limit has them at once', async () => {
    const { offices } = scene;
    await limited.offices.create({ name: 'Maia', mainOfficeId: offices.branch });
    expect(invalidateLimits).toHaveBeenCalledOnce();
    expect(await codeOf(limited.offices.create({ name: 'Maia' }))).toBe('insufficient_scope');
    expect(await codeOf(limited.offices.create({ name: 'Maia', mainOfficeId: null }))).toBe(
      'insufficient_scope',
    );
    const ofNone = await referenceError(scene.all.offices.create({ name: 'A', mainOfficeId: randomUUID() }));
    for (const mainOfficeId of [offices.other, randomUUID()])
      expect(await referenceError(limited.offices.create({ name: 'A', mainOfficeId }))).toEqual(ofNone);
  });

  it('moves an agent only from a visible office to a visible one', async () => {
    const { agents, offices } = scene;
    const id = agents.main;
    const ofNone = await referenceError(scene.all.agents.update({ id, officeId: randomUUID() }));
    for (const officeId of [offices.other, randomUUID()]) {
      expect(await referenceError(limited.agents.update({ id, officeId }))).toEqual(ofNone);
      expect(await referenceError(limited.agents.transfer({ id, officeId }))).toEqual(ofNone);
    }
    expect(await codeOf(limited.agents.update({ id, officeId: null }))).toBe('insufficient_scope');
    expect(await codeOf(limited.agents.transfer({ id: agents.other, officeId: offices.main }))).toBe(
      'not_found',
    );
    const { version } = await limited.agents.get({ id });
    expect(version).toBe(1);
    expect(await limited.agents.update({ id, officeId: offices.branch })).toMatchObject({ version: 2 });
    await scene.all.offices.deactivate({ id: offices.other });
    expect(await referenceError(limited.agents.update({ id, officeId: offices.other }))).toEqual(ofNone);
  });

  it('moves an office only below visible ones, and not out of the limit', async () => {
    const { offices } = scene;
    const id = offices.branch;
    expect(await codeOf(limited.offices.update({ id, mainOfficeId: null }))).toBe('insufficient_scope');
    const ofNone = await referenceError(scene.all.offices.update({ id, mainOfficeId: randomUUID() }));
    expect(await referenceError(limited.offices.update({ id, mainOfficeId: offices.other }))).toEqual(ofNone);
    expect(invalidateLimits).not.toHaveBeenCalled();
    await limited.offices.update({ id, name: 'Gaia II' });
    expect(invalidateLimits).not.toHaveBeenCalled();
    await limited.offices.update({ id, mainOfficeId: offices.main });
    expect(invalidateLimits).toHaveBeenCalledOnce();
    await scene.all.offices.update({ id: offices.main, mainOfficeId: offices.other });
    expect(await limited.offices.update({ id: offices.main, mainOfficeId: null })).toMatchObject({
      mainOfficeId: null,
    });
  });

  it.each([
    ['assistantToAgentId', '#/assistantToAgentId not_found'],
    ['affiliations', '#/affiliations not_found'],
  ] as const)('refers by %s of an agent to visible records alone', async (field, error) => {
    const { agents, offices } = scene;
    const patchTo = (visible: boolean) =>
      field === 'affiliations'
        ? { affiliations: [{ officeId: visible ? offices.branch : offices.other }] }
        : { assistantToAgentId: visible ? agents.branch : agents.other };
    const id = agents.main;
    await limited.agents.update({ id, ...patchTo(true) });
    const hidden = patchTo(false);
    expect((await referenceError(limited.agents.update({ id, ...hidden }))).fields).toEqual([error]);
    const created = limited.agents.create({ ...ana, officeId: offices.main, ...hidden });
    expect((await referenceError(created)).fields).toEqual([error]);
    await scene.all.agents.update({ id, ...hidden });
    expect(await limited.agents.update({ id, title: 'Broker', ...hidden })).toMatchObject({
      title: 'Broker',
    });
  });

  it('refers by an agent of an office to visible ones alone', async () => {
    const { agents, offices } = scene;
    for (const field of ['brokerAgentId', 'managerAgentId'] as const) {
      const id = offices.main;
      await limited.offices.update({ id, [field]: agents.branch });
      const { fields } = await referenceError(limited.offices.update({ id, [field]: agents.other }));
      expect(fields).toEqual([`#/${field} not_found`]);
      await scene.all.offices.update({ id, [field]: agents.other });
      await limited.offices.update({ id, [field]: agents.other, bio: field });
      await limited.offices.update({ id, [field]: null });
    }
  });

  it('rejects a wrong version of a visible record, and returns 404 for any of another', async () => {
    const { agents, offices } = scene;
    const stale = { ifVersion: 7, officeId: offices.other };
    expect(await codeOf(limited.agents.update({ id: agents.main, ...stale }))).toBe('version_conflict');
    expect(await codeOf(limited.agents.update({ id: agents.other, ...stale }))).toBe('not_found');
    expect(await codeOf(limited.agents.delete({ id: agents.other, ifVersion: 7 }))).toBe('not_found');
  });

  it('restores what was deleted within the limit, and nothing else', async () => {
    const { agents } = scene;
    for (const id of [agents.other, agents.none, agents.branch]) await scene.all.agents.delete({ id });
    for (const id of [agents.other, agents.none]) {
      expect(await codeOf(limited.agents.restore({ id }))).toBe('not_found');
      expect(await scene.all.agents.restore({ id })).toMatchObject({ version: 2 });
    }
    expect(await limited.agents.restore({ id: agents.branch })).toMatchObject({ version: 2 });
  });

  it('transfers the agents of an office between visible ones', async () => {
    const { agents, offices } = scene;
    const ofNone = await referenceError(
      scene.all.offices.transferAgents({ id: offices.main, toOfficeId: randomUUID() }),
    );
    const hidden = limited.offices.transferAgents({ id: offices.main, toOfficeId: offices.other });
    expect(await referenceError(hidden)).toEqual(ofNone);
    const moved = await limited.offices.transferAgents({ id: offices.main, toOfficeId: offices.branch });
    expect(moved).toMatchObject({ moved: 1 });
    expect((await limited.agents.get({ id: agents.main })).officeId).toBe(offices.branch);
  });

  it('deactivates an office with its agents, and ends affiliations of visible agents alone', async () => {
    const { agents, offices } = scene;
    const affiliations = [{ officeId: offices.main }];
    for (const id of [agents.branch, agents.other]) await scene.all.agents.update({ id, affiliations });
    await limited.offices.deactivate({ id: offices.main, cascade: true });
    expect(await scene.all.agents.get({ id: agents.main })).toMatchObject({ status: 'inactive' });
    expect(await scene.all.agents.get({ id: agents.branch })).toMatchObject({ affiliations: [] });
    expect(await scene.all.agents.get({ id: agents.other })).toMatchObject({ affiliations, version: 2 });
  });
});

describe('a person', () => {
  it('transfers all agents of an office as a manager, and not as an editor', async () => {
    const { main, branch } = scene.offices;
    const editor = await scene.person('editor', [main]);
    const request = { id: main, toOfficeId: branch };
    expect(await codeOf(editor.offices.transferAgents(request))).toBe('insufficient_scope');
    const manager = await scene.person('manager', [main]);
    expect(await manager.offices.transferAgents(request)).toMatchObject({ moved: 1 });
  });
});
