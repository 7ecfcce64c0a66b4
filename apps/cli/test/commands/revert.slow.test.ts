import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logged, useTestService } from '../support/test-service.ts';

const { at, client } = useTestService();

describe('revert', () => {
  it('restores an agent after any changes, except for read-only fields', async () => {
    const part = fc.option(fc.constantFrom('A', 'B'), { nil: null });
    const changes = fc.record(
      {
        firstName: fc.constantFrom('Ana', 'Eva'),
        displayName: fc.constantFrom(null, 'Ana Reis', 'Eva Reis', 'Reis, A.'),
        phone: fc.option(fc.constantFrom('+351210000001', '+351210000002'), { nil: null }),
        languages: fc.subarray(['pt', 'en']),
        address: fc.option(fc.record({ city: part, line1: part }), { nil: null }),
        metadata: fc.dictionary(fc.constantFrom('a', 'constructor'), part),
        source: fc.constantFrom(null, { name: 'MLS', key: '1' }, { name: 'MLS', key: '2' }),
      },
      { requiredKeys: [] },
    );
    const { agents } = client();
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 3 }), changes, async (before, after) => {
        const made = await agents.create.mutate({ firstName: 'Ana', lastName: 'Reis' });
        let then = made;
        for (const change of before) then = await agents.update.mutate({ id: made.id, ...change });
        const now = await agents.update.mutate({ id: made.id, ...after });
        await logged(client(), made.id, now.version);
        const { exit, stdout } = await at('pipe', [
          'agents',
          'revert',
          made.id,
          `--to=${then.version}`,
          '--json',
        ]);
        expect(exit).toBe(0);
        const { version: _, updatedAt: __, changes, notReverted, ...reverted } = JSON.parse(stdout);
        const { version: ___, updatedAt: ____, ...was } = then;
        expect(notReverted).toEqual([]);
        if (now.version === then.version) expect(changes).toEqual([]);
        expect(reverted).toEqual(was);
        await agents.delete.mutate({ id: made.id });
      }),
      { numRuns: 12 },
    );
  });
});
