import { createTestDatabase } from '@roster/db/testing';
import { describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { createAuthenticator } from './authenticator.ts';

const changes = {
  revoke: {},
  rotate: { overlapSeconds: 0 },
  update: { expiresAt: '2020-01-01T00:00:00Z' },
} as const;

describe('a key that is ended', () => {
  it.each([
    ['revoke', undefined],
    ['rotate', undefined],
    ['update', undefined],
    ['update', 'once'],
  ] as const)(
    'by %s is not accepted from the cache after that response (Idempotency-Key: %s)',
    async (change, key) => {
      await using database = await createTestDatabase();
      const { db } = database;
      // No NOTIFY arrives.
      const authenticator = createAuthenticator({
        db,
        now: () => new Date(),
        sessionIdleMs: 60_000,
        isListening: () => true,
      });
      const committed = (what: string) => {
        if (what === 'callers') authenticator.invalidate();
      };
      const { keys } = callerIn(db, { request: { committed, idempotencyKey: () => key } });
      const { id, secret } = await callerIn(db).keys.create({ name: 'Leaked', scopes: ['offices:read'] });
      const accepted = () => authenticator.callerOf(`Bearer ${secret}`);
      expect((await accepted()).id).toBe(id);
      await keys[change]({ id, ...changes[change] });
      await expect(accepted()).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    },
  );
});
