import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { carryOut, historyOf, steps, useScene, valuesOf } from '../../test/support/agent-steps.ts';
import type { Agent } from '../directory/agents/schemas.ts';

const shared = useScene();

describe('the history of a record', () => {
  it('gives each version when it is replayed, page by page and whatever has a position already', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (given, limit) => {
        await using changed = await carryOut(shared(), given);
        const { id, states } = changed;
        const history = await historyOf(shared().caller, id, limit);
        expect(history.map(({ version }) => version)).toEqual(
          history.map(({ version }) => version).toSorted((one, other) => other - one),
        );
        const values = new Map<string, unknown>();
        for (const { version, changes } of history.toReversed()) {
          for (const { field, before, after } of changes) {
            expect(values.get(field) ?? null).toEqual(before);
            if (after === null) values.delete(field);
            else values.set(field, after);
          }
          expect(values).toEqual(valuesOf(states.get(version) as Agent));
        }
        expect(new Set(history.map(({ version }) => version))).toEqual(new Set(states.keys()));
      }),
      { numRuns: 25 },
    );
  });
});
