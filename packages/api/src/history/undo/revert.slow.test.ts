import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  carryOut,
  historyOf,
  newestOf,
  steps,
  useScene,
  valuesOf,
} from '../../../test/support/agent-steps.ts';
import type { Agent } from '../../directory/agents/schemas.ts';

const shared = useScene();

/** What callers can write of an agent. */
function writtenOf(agent: Agent) {
  const {
    id,
    status,
    statusReason,
    statusChangedAt,
    deactivatedAt,
    createdAt,
    updatedAt,
    version,
    transferredAt,
    ...written
  } = agent;
  return written;
}

describe('a revert', () => {
  it('to any version gives its written fields, after a dry run that said so, and repeated changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), async (given, pick) => {
        const { caller } = shared();
        await using changed = await carryOut(shared(), given);
        const { id, states } = changed;
        const now = newestOf(states);
        const then = [...states.values()][pick % states.size] as Agent;
        const request = { id, toVersion: then.version };
        const previewed = await caller.agents.revert({ ...request, dryRun: true });
        expect(await caller.agents.get({ id })).toEqual(now);
        expect(previewed).toMatchObject(now);
        const { changes, notReverted, ...reverted } = await caller.agents.revert(request);
        expect(changes).toEqual(previewed.changes);
        expect(writtenOf(reverted)).toEqual(writtenOf(then));
        expect(reverted).toEqual(await caller.agents.get({ id }));
        expect(reverted.version).toBe(changes.length === 0 ? now.version : now.version + 1);
        expect(reverted.status).toBe(now.status);
        const status = { field: 'status', before: now.status, after: then.status };
        expect(notReverted).toEqual(now.status === then.status ? [] : [status]);
        expect(await caller.agents.revert(request)).toMatchObject({ version: reverted.version, changes: [] });
        const [newest] = await historyOf(caller, id);
        if (changes.length > 0)
          expect(newest).toMatchObject({
            type: 'agent.updated',
            changes,
            details: { revertedTo: then.version },
          });
      }),
      { numRuns: 25 },
    );
  });

  it('of fields and parts of fields touches these alone', async () => {
    const paths = [
      'firstName',
      'phone',
      'languages',
      'licenses',
      'address',
      'address.city',
      'metadata.a',
      'metadata.b.c',
    ];
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(), fc.subarray(paths, { minLength: 1 }), async (given, pick, fields) => {
        const { caller } = shared();
        await using changed = await carryOut(shared(), given);
        const { id, states } = changed;
        const [now, then] = [newestOf(states), [...states.values()][pick % states.size] as Agent];
        const { changes, ...reverted } = await caller.agents.revert({ id, toVersion: then.version, fields });
        const [is, was, before] = [valuesOf(reverted), valuesOf(then), valuesOf(now)];
        const isNamed = (path: string) =>
          fields.some((field) => path === field || path.startsWith(`${field}.`));
        // It follows the first name, unless it was given.
        const follows = (path: string) => path === 'displayName' && fields.includes('firstName');
        for (const path of new Set([...is.keys(), ...was.keys(), ...before.keys()])) {
          if (!follows(path)) expect(is.get(path), path).toEqual((isNamed(path) ? was : before).get(path));
        }
        for (const { field } of changes) expect(isNamed(field) || follows(field), field).toBe(true);
      }),
      { numRuns: 25 },
    );
  });

  it('loses no change that is made at the same time', async () => {
    const { caller } = shared();
    const { id } = await caller.offices.create({ name: 'Baixa', phoneExt: '0' });
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        index % 2 === 0
          ? caller.offices.update({ id, phoneExt: `${index}`, mlsId: `${index}` })
          : caller.offices.revert({ id, toVersion: 1 }),
      ),
    );
    const { items } = await caller.offices.history({ id });
    const { version } = await caller.offices.get({ id });
    expect(items.map((item) => item.version)).toEqual(
      Array.from({ length: version }, (_, index) => version - index),
    );
  });
});
