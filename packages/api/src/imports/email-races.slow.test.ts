import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { untilWaiting } from '../../test/support/lock-waits.ts';
import { errorCodeOf } from '../../test/support/rejected.ts';
import { newSystem } from '../../test/support/systems.ts';
import { useDatabase } from '../../test/support/use-database.ts';

const { database, caller } = useDatabase({ requiresEvents: true });

const ROUNDS = Array.from({ length: 6 }, (_, index) => index);
const ana = { firstName: 'Ana', lastName: 'Silva' };

/** Agents `a` and `b` with their addresses, and records of this system. */
async function twoAgents() {
  const { of, name } = newSystem();
  const addressOf = (key: string | number) => `${key}@${name.replace(' ', '-')}.example`;
  const one = (key: string, email: string) => ({ ...ana, source: of(key), email: addressOf(email) });
  await caller().imports.agents({ records: [one('a', 'a'), one('b', 'b')] });
  const addresses = async () => {
    const { items } = await caller().agents.list({ sourceName: name, sort: 'createdAt' });
    return items.map(({ source, email }) => `${source?.key} ${email?.split('@')[0]}`).sort();
  };
  const exchange = (by: Caller = caller()) =>
    by.imports.agents({ mode: 'upsert', records: [one('a', 'b'), one('b', 'a')] });
  return { addressOf, one, addresses, exchange };
}

/** Starts a second change while the first is not committed, and ends the first once the second waits for it. */
async function whileUncommitted<Value>(
  first: (by: Caller) => Promise<unknown>,
  second: () => Promise<Value>,
) {
  let waiting: Promise<Value | string> | undefined;
  await database()
    .db.transaction()
    .execute(async (trx) => {
      await first(callerIn(trx));
      waiting = second().catch(errorCodeOf);
      await untilWaiting(database().db, 1, { timeout: 60_000 });
    });
  return waiting;
}

async function expectNoDeadlock() {
  const { rows } = await sql<{ deadlocks: string }>`
    select deadlocks::text from pg_stat_database where datname = current_database()`.execute(database().db);
  expect(rows).toEqual([{ deadlocks: '0' }]);
}

describe('an exchange of email addresses', () => {
  it.each(['a', 'b'])('keeps %s from an agent who is created meanwhile', async (key) => {
    const { addressOf, addresses, exchange } = await twoAgents();
    const creation = await whileUncommitted(exchange, () =>
      caller().agents.create({ ...ana, email: addressOf(key) }),
    );
    expect(creation).toBe('email_taken');
    expect(await addresses()).toEqual(['a b', 'b a']);
    await expectNoDeadlock();
  });

  it('is not overtaken by a change back', async () => {
    const { one, addresses, exchange } = await twoAgents();
    const back = await whileUncommitted(exchange, () =>
      caller().imports.agents({ mode: 'upsert', records: [one('b', 'b'), one('a', 'a')] }),
    );
    expect(back).toMatchObject({ updated: 2 });
    expect(await addresses()).toEqual(['a a', 'b b']);
    await expectNoDeadlock();
  });

  it('names the record whose address another change has taken meanwhile, and those that wait for it', async () => {
    const { one, addressOf, addresses } = await twoAgents();
    const records = [one('a', 'b'), one('b', 'new')];
    const response = await whileUncommitted(
      ({ agents }) => agents.create({ ...ana, email: addressOf('new') }),
      () => caller().imports.agents({ mode: 'upsert', records, isAtomic: false }),
    );
    expect(response).toMatchObject({
      results: [
        { error: { errors: [{ detail: 'is in use by record 1 of this call, which is rejected' }] } },
        { error: { errors: [{ detail: 'is already in use by another agent' }] } },
      ],
    });
    expect(await addresses()).toEqual(['a a', 'b b']);
  });

  it.each(ROUNDS)(
    'at once with creations and another exchange leaves each address to one agent (%i)',
    async () => {
      const { addressOf, addresses, exchange } = await twoAgents();
      const results = await Promise.allSettled([
        exchange(),
        ...['a', 'b'].map((key) => caller().agents.create({ ...ana, email: addressOf(key) })),
        exchange(),
      ]);
      const codes = results.map((result) =>
        result.status === 'rejected' ? errorCodeOf(result.reason) : 'done',
      );
      expect(codes).toEqual(['done', 'email_taken', 'email_taken', 'done']);
      expect(await addresses()).toEqual(['a b', 'b a']);
      await expectNoDeadlock();
    },
  );
});

it.each(ROUNDS)(
  'imports that create the same addresses in opposite orders end without a deadlock (%i)',
  async () => {
    const { addressOf } = await twoAgents();
    const records = Array.from({ length: 40 }, (_, key) => ({ ...ana, email: addressOf(key) }));
    const results = await Promise.allSettled(
      [records, records.toReversed()].map((some) => caller().imports.agents({ records: some })),
    );
    const codes = results.map((result) =>
      result.status === 'rejected' ? errorCodeOf(result.reason) : result.value.created,
    );
    expect(codes.sort()).toEqual([40, 'email_taken']);
    await expectNoDeadlock();
  },
);
