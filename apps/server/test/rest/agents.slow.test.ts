import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useServer } from '../support/use-server.ts';

const now = new Date('2026-01-31T08:00:00.000Z');
const server = useServer({ now: () => now });

describe('languages', () => {
  it('are never longer than they may be, however they are written', async () => {
    const tag = fc.stringMatching(/^[a-z]{2,3}(-[A-Za-z]{4})?(-[a-z]{2})?(-u-[a-z]{2}-[a-z]{3,8}){0,2}$/);
    await fc.assert(
      fc.asyncProperty(tag, async (language) => {
        const body = { firstName: 'Ana', lastName: 'Silva', languages: [language] };
        expect([201, 422]).toContain((await server().request('POST', '/agents', body)).status);
      }),
      { numRuns: 50 },
    );
  });
});
