import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { collaboratorsOf, contextOf, limitedTo } from '../../test/support/context.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { rejected } from '../../test/support/rejected.ts';
import { limitFor, type Caller as Principal } from '../access/caller.ts';
import { followEvents } from '../events/service.ts';

let scene: OfficeScene;
let limited: Caller;
beforeEach(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterEach(() => scene[Symbol.asyncDispose]());

const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;

/** The subjects and types of the events that a caller can read, by the names of the scene. */
async function seenBy({ events }: Caller, query: { subject?: string; types?: 'agent.updated'[] } = {}) {
  await scene.settle();
  const { items } = await events.list(query);
  const named = new Map(
    [...Object.entries(scene.agents), ...Object.entries(scene.offices)].map(([n, id]) => [id, n]),
  );
  return items.map(({ subject, type }) => `${named.get(subject) ?? subject} ${type}`);
}

describe('the log of a limited caller', () => {
  it('has the events of visible offices and of agents in them', async () => {
    expect(await seenBy(limited)).toEqual([
      'main office.created',
      'branch office.created',
      'main agent.created',
      'branch agent.created',
    ]);
  });

  it('shows an agent leaving, and nothing after, and an agent arriving, and nothing before', async () => {
    const { all, agents, offices } = scene;
    await all.agents.transfer({ id: agents.main, officeId: offices.other });
    await all.agents.update({ id: agents.main, title: 'Elsewhere' });
    await all.agents.update({ id: agents.other, title: 'Elsewhere' });
    await all.agents.update({ id: agents.other, officeId: offices.branch });
    await all.agents.update({ id: agents.other, title: 'Here' });
    expect(await seenBy(limited, { subject: agents.main })).toEqual([
      'main agent.created',
      'main agent.transferred',
    ]);
    expect(await seenBy(limited, { subject: agents.other })).toEqual([
      'other agent.updated',
      'other agent.updated',
    ]);
    expect(await seenBy(limited, { types: ['agent.updated'] })).toHaveLength(2);
    expect(await seenBy(limited, { subject: agents.none })).toEqual([]);
  });

  it('shows the deletion of an office, and no more of its agents', async () => {
    const { all, agents, offices } = scene;
    await all.agents.delete({ id: agents.branch });
    await all.offices.delete({ id: offices.branch });
    const seen = await seenBy(await scene.limited());
    expect(seen.filter((event) => event.startsWith('branch'))).toEqual([
      'branch office.created',
      'branch office.deleted',
    ]);
  });

  it('has events of records alone', async () => {
    expect(await codeOf(limited.events.list({ types: ['key.created'] }))).toBe('insufficient_scope');
    expect(await codeOf(limited.events.list({ types: ['agent.created', 'webhook.created'] }))).toBe(
      'insufficient_scope',
    );
  });
});

describe('a stream of a limited caller', () => {
  it('has the events of the limit as it is at the moment', async () => {
    const { all, agents, offices, db } = scene;
    await scene.settle();
    let principal: Principal = await limitedTo(db, [offices.main]);
    const request = { reauthenticate: async () => principal };
    const context = { ...contextOf(db, { request }), ...collaboratorsOf().events };
    const stop = new AbortController();
    const limit = limitFor(principal, { scope: 'events:read' });
    const { items } = await all.events.list({});
    const after = String(items.at(-1)?.position);
    const stream = followEvents({ ...context, caller: principal, limit }, { after }, stop.signal);
    const next = async () => (await stream.next()).value?.event.subject;
    await all.agents.update({ id: agents.other, title: 'Hidden' });
    await all.agents.update({ id: agents.main, title: 'Visible' });
    await scene.settle();
    expect(await next()).toBe(agents.main);
    principal = await limitedTo(db, [offices.other]);
    const pending = next();
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    await all.agents.update({ id: agents.main, title: 'Hidden' });
    await all.agents.update({ id: agents.other, title: 'Visible' });
    await scene.settle();
    expect(await pending).toBe(agents.other);
    stop.abort();
    await stream.return();
  });
});

describe('the history that a limited caller reads', () => {
  it('is that of visible records, and of records deleted within the limit', async () => {
    const { all, agents, offices } = scene;
    await all.agents.delete({ id: agents.branch });
    expect((await limited.agents.history({ id: agents.branch })).items).toHaveLength(2);
    expect((await limited.offices.history({ id: offices.main })).items).toHaveLength(1);
    for (const id of [agents.other, agents.none]) {
      expect(await codeOf(limited.agents.history({ id }))).toBe('not_found');
      await all.agents.delete({ id });
      expect(await codeOf(limited.agents.history({ id }))).toBe('not_found');
      expect(await codeOf(limited.agents.revert({ id, toVersion: 1 }))).toBe('not_found');
    }
    const error = await rejected(limited.agents.revert({ id: agents.branch, toVersion: 1 }));
    expect(error.message).toContain('Restore it first');
    await all.agents.transfer({ id: agents.main, officeId: offices.other });
    expect(await codeOf(limited.agents.history({ id: agents.main }))).toBe('not_found');
    const gone = await rejected(limited.agents.revert({ id: agents.main, toVersion: 1 }));
    expect(gone.message).not.toContain('restore');
  });

  it('begins when an agent arrives, so that what was elsewhere is neither listed nor reverted to', async () => {
    const { all, agents, offices } = scene;
    const id = agents.other;
    await all.agents.update({ id, title: 'Elsewhere', bio: 'Secret' });
    await all.agents.update({ id, officeId: offices.main });
    await limited.agents.update({ id, bio: 'Public' });
    const { items } = await limited.agents.history({ id, limit: 1 });
    expect(items.map(({ version }) => version)).toEqual([4]);
    const whole = await limited.agents.history({ id });
    expect(whole.items.map(({ version }) => version)).toEqual([4, 3]);
    expect((await rejected(limited.agents.revert({ id, toVersion: 2 }))).message).toContain(
      'no longer in the log',
    );
    expect(await limited.agents.revert({ id, toVersion: 3 })).toMatchObject({ bio: 'Secret', version: 5 });
  });
});
