import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerIn } from '../../test/support/caller.ts';
import { keyOf } from '../../test/support/context.ts';
import { readLimit } from '../engine/office-limit.ts';
import { createPersonAtSignIn } from '../identity/people/sign-in.ts';
import { startSequencer } from '../log/sequencer.ts';
import { ADMIN, type Caller as Principal } from './caller.ts';
import { scopes } from './scopes.ts';
import { callerOfPerson } from './session-callers.ts';

let database: TestDatabase;
let sequencer: ReturnType<typeof startSequencer>;
beforeAll(async () => {
  database = await createTestDatabase();
  sequencer = startSequencer(database.db, () => undefined);
});
afterAll(async () => {
  await sequencer.close();
  await database[Symbol.asyncDispose]();
});

const as = (caller: Principal) =>
  callerIn(database.db, {
    request: { authenticate: async () => caller, reauthenticate: async () => caller },
  });

/** A person, as a caller. */
async function aPerson(email: string, officeIds: string[] | null = null): Promise<Principal> {
  const grants = [{ role: 'editor' as const, officeIds }];
  const cause = { now: new Date(), requestId: null };
  const { id, name } = await createPersonAtSignIn(database.db, { name: 'Ana', email, grants }, cause);
  return { ...ADMIN, ...(await callerOfPerson(database.db, { id, name, grants })) };
}

async function limitedAdmin(officeIds: string[]): Promise<Principal> {
  const limit = await readLimit(database.db, officeIds);
  return { ...ADMIN, id: 'limited', grants: [{ scopes, mayManage: true, limit }] };
}

/** What a reader sees of the actor of the newest change of an office, wherever it is shown. */
async function actorSeenBy(reader: Principal, id: string) {
  const { offices } = as(reader);
  const [change] = (await offices.history({ id })).items;
  expect(change?.actorName).toBe(change?.actor?.name ?? null);
  return change?.actor ?? null;
}

describe('the actor of a change', () => {
  it('is a person or a key, by name for those who may read it', async () => {
    const person = await aPerson('actor@atlantico.example');
    const { id } = await as(person).offices.create({ name: 'Porto' });
    const named = { type: 'person', id: person.id, name: 'Ana' };
    expect(await actorSeenBy({ ...ADMIN, id: 'other' }, id)).toEqual(named);
    expect(await actorSeenBy(person, id)).toEqual(named);
    const reader = keyOf(['offices:read', 'events:read', 'keys:manage']);
    expect(await actorSeenBy(reader, id)).toEqual({ ...named, name: null });
    const key = await as(ADMIN).keys.create({ name: 'Back office', scopes: ['offices:write'] });
    const byKey = await as(keyOf(['offices:write'], { id: key.id })).offices.create({ name: 'Braga' });
    expect(await actorSeenBy(reader, byKey.id)).toEqual({ type: 'key', id: key.id, name: 'Back office' });
  });

  it('does not exist for a limited reader who could not read that key or person', async () => {
    const { offices } = as(ADMIN);
    const main = (await offices.create({ name: 'Main' })).id;
    const inside = await aPerson('inside@atlantico.example', [main]);
    const outside = await aPerson('outside@atlantico.example');
    const reader = await limitedAdmin([main]);
    await as(outside).offices.update({ id: main, phoneExt: '1' });
    expect(await actorSeenBy(reader, main)).toBe(null);
    await as(inside).offices.update({ id: main, phoneExt: '2' });
    expect((await as(reader).offices.history({ id: main })).items[0]?.actor).toMatchObject({
      id: inside.id,
      name: 'Ana',
    });
  });

  it('is null of a person who was deleted, whose id stays', async () => {
    const person = await aPerson('gone@atlantico.example');
    const { id } = await as(person).offices.create({ name: 'Faro' });
    await as({ ...ADMIN, id: ADMIN.id }).people.delete({ id: person.id });
    const [change] = (await as(ADMIN).offices.history({ id })).items;
    expect(change).toMatchObject({ actorId: person.id, actor: null, actorName: null });
  });

  it('is in events and in scheduled changes', async () => {
    const person = await aPerson('schedules@atlantico.example');
    const { id } = await as(person).agents.create({ firstName: 'Rui', lastName: 'Sá' });
    const manager: Principal = { ...person, grants: [{ scopes, mayManage: true, limit: undefined }], scopes };
    await as(manager).agents.deactivate({ id, effectiveAt: new Date(Date.now() + 86_400_000).toISOString() });
    const actor = { type: 'person', id: person.id, name: 'Ana' };
    const { items } = await as(ADMIN).scheduledChanges.list({ subject: id });
    expect(items).toMatchObject([{ scheduledBy: person.id, actor }]);
    await expect
      .poll(async () => (await as(ADMIN).events.list({ subject: id })).items.map((event) => event.actor))
      .toEqual([actor, actor]);
  });
});
