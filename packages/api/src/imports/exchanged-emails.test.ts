import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { newSystem } from '../../test/support/systems.ts';
import { useDatabase } from '../../test/support/use-database.ts';
import { assignPositions } from '../log/sequencer.ts';

type Imports = Parameters<Caller['imports']['agents']>[0];

const { database, caller } = useDatabase({ requiresEvents: true });

const ana = { firstName: 'Ana', lastName: 'Silva' };

/** New agents of a system of their own, with the keys as the names of their addresses. */
async function agentsOf<Key extends string>(...keys: Key[]) {
  const { of, name } = newSystem();
  const addressOf = (key: string) => `${key}@${name.replace(' ', '-')}.example`;
  const one = (key: string, email: string | null = key) => ({
    ...ana,
    source: of(key),
    email: email === null ? null : addressOf(email),
  });
  const { results } = await caller().imports.agents({ records: keys.map((key) => one(key)) });
  const ids = Object.fromEntries(keys.map((key, place) => [key, results[place]?.id ?? ''])) as Record<
    Key,
    string
  >;
  /** The address of each agent now, by the key of its source. */
  const addresses = async () => {
    const { items } = await caller().agents.list({ sourceName: name });
    return Object.fromEntries(items.map(({ source, email }) => [source?.key, email?.split('@')[0] ?? null]));
  };
  return { one, ids, addresses, addressOf };
}

const upsert = (records: Imports['records'], options: Omit<Imports, 'records'> = {}) =>
  caller().imports.agents({ mode: 'upsert', records, ...options });

/** The events of an agent after its creation, with what each changed. */
async function changesOf(id: string) {
  await assignPositions(database().db);
  const { items } = await caller().events.list({ subject: id, sort: 'position' });
  return items.slice(1).map(({ type, version, previous, record }) => ({
    type,
    version,
    from: (previous as { email?: string }).email?.split('@')[0],
    to: (record as { email: string | null }).email?.split('@')[0] ?? null,
  }));
}

describe('agents who pass on their email addresses in one call', () => {
  const finals: [string, Record<string, string | null>][] = [
    ['exchange of two', { a: 'b', b: 'a' }],
    ['circle of three', { a: 'b', b: 'c', c: 'a' }],
    ['chain to a new address', { a: 'b', b: 'c', c: 'new' }],
    ['chain to no address', { a: 'b', b: 'c', c: null }],
    ['exchange in another letter case', { a: 'B', b: 'A' }],
  ];
  it.each(finals)('have those of the call in the end, with one event each: %s', async (_, final) => {
    const { one, ids, addresses } = await agentsOf('a', 'b', 'c');
    const records = Object.entries(final).map(([key, email]) => one(key, email));
    const expected = { created: 0, updated: records.length, unchanged: 0, errors: 0 };
    expect(await upsert(records, { dryRun: true })).toMatchObject(expected);
    expect(await upsert(records)).toMatchObject(expected);
    expect(await addresses()).toMatchObject(final);
    for (const [key, to] of Object.entries(final))
      expect(await changesOf(ids[key as keyof typeof ids])).toEqual([
        { type: 'agent.updated', version: 2, from: key, to },
      ]);
    expect(await upsert(records)).toMatchObject({ unchanged: records.length });
  });

  it('give an address to a new agent, whichever comes first', async () => {
    const { one, addresses } = await agentsOf('a', 'b');
    await upsert([one('first', 'a'), one('a', 'x'), one('b', 'y'), one('second', 'b')]);
    expect(await addresses()).toEqual({ a: 'x', b: 'y', first: 'a', second: 'b' });
  });

  it('keep their addresses unique for every later change', async () => {
    const { one, ids, addressOf } = await agentsOf('a', 'b');
    await upsert([one('a', 'b'), one('b', 'a')]);
    const creating = caller().agents.create({ ...ana, email: addressOf('A') });
    expect((await rejected(creating)).errorCode).toBe('email_taken');
    const changing = caller().agents.update({ id: ids.b, email: addressOf('b') });
    expect((await rejected(changing)).errorCode).toBe('email_taken');
    const { rows } = await sql`select from agent where is_email_moving`.execute(database().db);
    expect(rows).toEqual([]);
  });

  it('mean by an address alone the agent who has it now', async () => {
    const { one, ids, addressOf } = await agentsOf('a', 'b');
    const records = [one('a', 'new'), { ...ana, email: addressOf('a') }];
    const error = await rejected(caller().imports.agents({ mode: 'match', records }));
    expect(fieldErrorsOf(error)).toEqual(['#/records/1/email repeated']);
    const byEmail = { ...ana, email: addressOf('b'), title: 'Broker' };
    const { results } = await caller().imports.agents({ mode: 'match', records: [byEmail] });
    expect(results).toMatchObject([{ status: 'updated', id: ids.b }]);
  });
});

describe('an email address that another agent keeps', () => {
  it('rejects the record that wants it, and in a call that is not atomic all that wait for that', async () => {
    const { one, addresses } = await agentsOf('a', 'b', 'outsider');
    const records = [one('a', 'b'), one('b', 'outsider'), one('new', 'a')];
    const error = await rejected(upsert(records));
    expect([error.errorCode, ...fieldErrorsOf(error)]).toEqual(['email_taken', '#/records/1/email taken']);
    for (const dryRun of [true, false]) {
      const { results } = await upsert(records, { isAtomic: false, dryRun });
      expect(results.map(({ error }) => error?.errors[0]?.detail)).toEqual([
        'is in use by record 1 of this call, which is rejected',
        'is already in use by another agent',
        'is in use by record 0 of this call, which is rejected',
      ]);
    }
    expect(await addresses()).toEqual({ a: 'a', b: 'b', outsider: 'outsider' });
  });

  it('is not given up by a record that says nothing of it, or has it in another letter case', async () => {
    const { one } = await agentsOf('a', 'b', 'c');
    const { email: _, ...silent } = one('b');
    const { results } = await upsert([one('a', 'b'), silent], { isAtomic: false });
    expect(results.map(({ status }) => status)).toEqual(['error', 'unchanged']);
    const { results: others } = await upsert([one('b', 'B'), one('a', 'b')], { isAtomic: false });
    expect(others.map(({ status }) => status)).toEqual(['updated', 'error']);
  });

  it('rejects both of an exchange if one is invalid', async () => {
    const { one, addresses } = await agentsOf('a', 'b');
    const records = [{ ...one('a', 'b'), officeSourceKey: 'nowhere' }, one('b', 'a')];
    const { results } = await upsert(records, { isAtomic: false });
    expect(results.map(({ error }) => error?.code)).toEqual(['reference_not_found', 'email_taken']);
    expect(await addresses()).toEqual({ a: 'a', b: 'b' });
  });

  it('leads by a merge to the survivor, which has it until the merge is undone', async () => {
    const { one, ids, addressOf } = await agentsOf('a', 'b', 'merged');
    await caller().agents.merge({ id: ids.b, duplicateId: ids.merged });
    const { results } = await upsert([one('a', 'merged'), one('b', 'new')], { isAtomic: false });
    expect(results.map(({ status }) => status)).toEqual(['error', 'updated']);
    expect((await caller().agents.get({ id: ids.b })).email).toBe(addressOf('new'));
  });
});
