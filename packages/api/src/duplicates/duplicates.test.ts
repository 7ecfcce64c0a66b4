import { createTestDatabase, type TestDatabase } from '@roster/db/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../test/support/caller.ts';
import { compareAll } from '../../test/support/comparison.ts';
import { officeScene } from '../../test/support/office-scene.ts';
import { rejected } from '../../test/support/rejected.ts';
import { assignPositions } from '../log/sequencer.ts';
import { compareSome } from './worker.ts';

let database: TestDatabase;
let caller: Caller;
beforeAll(async () => {
  database = await createTestDatabase({ requiresEvents: true });
  caller = callerIn(database.db);
});
afterAll(() => database[Symbol.asyncDispose]());

const id = async (agent: Parameters<Caller['agents']['create']>[0]) => (await caller.agents.create(agent)).id;
const pairsWith = async (recordId: string, query: object = {}) => {
  await compareAll(database.db);
  return (await caller.agents.duplicates({ recordId, ...query })).items;
};

describe('records that may be the same', () => {
  it('are found by telephone in E.164, mailbox, licence, number and name, with the reasons in words', async () => {
    const first = await id({
      firstName: 'Ana',
      lastName: 'Figueiredo',
      phone: '+351 910 000 101',
      email: 'ana.figueiredo+work@gmail.com',
      licenses: [{ number: 'CI-00042', region: '11' }],
    });
    const second = await id({
      firstName: 'Ana',
      lastName: 'Figueredo',
      mobilePhone: '+351910000101',
      email: 'anafigueiredo@googlemail.com',
      licenses: [{ number: 'ci 00042', region: '11' }],
    });
    const [pair, ...others] = await pairsWith(first);
    expect(others).toEqual([]);
    expect(pair?.records.map((record) => record.id)).toEqual([first, second].sort());
    expect(pair?.reasons).toEqual([
      { kind: 'telephone', text: 'Same phone number +351910000101', value: '+351910000101' },
      {
        kind: 'email',
        text: 'Same mailbox anafigueiredo@gmail.com',
        value: 'anafigueiredo@gmail.com',
      },
      { kind: 'license', text: 'Same licence CI-00042 (11)', value: 'CI-00042 (11)' },
      { kind: 'name', text: 'Similar name', isSimilar: true },
    ]);
    expect(pair?.score).toBeGreaterThan(0.98);
  });

  it.each([
    ["O'Malley", 'O’Malley', '+351910000109'],
    ['O’Malley', 'OMalley', '+351910000110'],
    ['Smith-Jones', 'Smith‐Jones', '+351910000111'],
    ['Smith-Jones', 'Smith Jones', '+351910000112'],
  ])('have the same name whatever its apostrophes and hyphens: %s, %s', async (lastName, other, phone) => {
    const first = await id({ firstName: 'Siobhán', lastName, phone });
    await id({ firstName: 'Siobhan', lastName: other, phone });
    const [pair] = await pairsWith(first);
    expect(pair?.reasons).toContainEqual({ kind: 'name', text: 'Same name' });
  });

  it('are found in another script, and with the names turned round', async () => {
    const first = await id({ firstName: 'Сергей', lastName: 'Кузнецов', phone: '+351910000102' });
    const second = await id({ firstName: 'Kuznetsov', lastName: 'Sergey', phone: '+351910000102' });
    expect((await pairsWith(first)).flatMap(({ records }) => records.map((one) => one.id))).toContain(second);
  });

  it.each([
    ['one name, in either field', { firstName: 'Pelé' }, { lastName: 'Pele' }, 'Same name'],
    ['the first name alone', { firstName: 'Figo' }, { firstName: 'Figo', lastName: 'Reis' }, 'Similar name'],
    [
      'the last name alone',
      { lastName: 'Rivaldo' },
      { firstName: 'Ana', lastName: 'Rivaldo' },
      'Similar name',
    ],
  ])('are found with %s', async (_, one, other, text) => {
    const email = (host: string) => `${Object.values(one).join('')}@${host}.com`;
    const first = await id({ ...one, email: email('gmail') });
    const second = await id({ ...other, email: email('googlemail') });
    const [pair] = await pairsWith(first);
    expect(pair?.records.map((record) => record.id)).toContain(second);
    expect(pair?.reasons).toContainEqual(expect.objectContaining({ kind: 'name', text }));
  });

  it('are not two people of whom one has a different name only', async () => {
    const phone = '+351910000113';
    const first = await id({ firstName: 'Ronaldo', phone });
    await id({ firstName: 'Marta', lastName: 'Vieira', phone });
    expect(await pairsWith(first)).toEqual([]);
  });

  it('are compared once, whatever became of the last events of the log', async () => {
    await id({ firstName: 'Rui', lastName: 'Depois' });
    await assignPositions(database.db);
    await sql`delete from event where position = (select last_position from event_log)`.execute(database.db);
    await compareAll(database.db);
    expect(await compareSome(database.db, { now: new Date() })).toEqual([]);
  });

  it('are not twins with one telephone and one address, nor a father and a son of one name', async () => {
    const home = { phone: '+351910000103', address: { line1: 'Rua da Prata 80', postalCode: '1100-420' } };
    const first = await id({ firstName: 'João', lastName: 'Matos', ...home });
    await id({ firstName: 'Joana', lastName: 'Matos', ...home });
    await id({ firstName: 'João', lastName: 'Matos', nameSuffix: 'Jr.', ...home });
    expect(await pairsWith(first)).toEqual([]);
  });

  it('are no pair any more after a change that makes them different, and after a deletion', async () => {
    const phone = '+351910000104';
    const first = await id({ firstName: 'Rui', lastName: 'Nobre', phone });
    const second = await id({ firstName: 'Rui', lastName: 'Nobre', phone });
    const third = await id({ firstName: 'Rui', lastName: 'Nobre', phone });
    expect(await pairsWith(first)).toHaveLength(2);
    await caller.agents.update({ id: second, firstName: 'Eva', phone: null });
    await caller.agents.delete({ id: third });
    const notYet = await caller.agents.duplicates({ recordId: first });
    expect(notYet.items).toHaveLength(1);
    expect(await pairsWith(first)).toEqual([]);
  });

  it('that were there before the comparison began are found too', async () => {
    const phone = '+351910000105';
    const first = await id({ firstName: 'Eva', lastName: 'Salgado', phone });
    await id({ firstName: 'Eva', lastName: 'Salgado', phone });
    await compareAll(database.db);
    await database.db.deleteFrom('duplicate_pair').execute();
    await database.db.deleteFrom('compared_record').execute();
    await database.db.deleteFrom('comparison').execute();
    expect(await pairsWith(first)).toHaveLength(1);
  });

  it('are offices of one name in one city, and not branches in two', async () => {
    const office = (city: string) =>
      caller.offices.create({ name: 'Casa Verde, Lda.', address: { city }, phone: '+351210000106' });
    const [lisbon, again] = [await office('Lisboa'), await office('Lisboa'), await office('Porto')];
    await compareAll(database.db);
    const { items } = await caller.offices.duplicates({});
    expect(items.map(({ records }) => records.map((one) => one.id))).toEqual([[lisbon.id, again.id].sort()]);
  });
});

describe('what a new record looks like', () => {
  const person = { firstName: 'Marta', lastName: 'Vilhena', phone: '+351910000120' };

  it('is told before it is created, the most probable first, and nothing is written', async () => {
    const known = await id({ ...person, email: 'marta@vilhena.example' });
    await compareAll(database.db);
    const input = { ...person, phone: '910 000 120', address: { country: 'PT' } };
    const { lookAlikes } = await caller.agents.checkDuplicates(input);
    expect(lookAlikes.map(({ record }) => record.id)).toEqual([known]);
    expect(lookAlikes[0]?.reasons.map(({ text }) => text)).toEqual([
      'Same phone number +351910000120',
      'Same name',
    ]);
    expect(await caller.agents.checkDuplicates({ firstName: 'Marta', lastName: 'Nobody' })).toEqual({
      lookAlikes: [],
    });
    const { items } = await caller.agents.list({ q: 'Vilhena' });
    expect(items).toHaveLength(1);
  });

  it('is at most five records, and none that only a switchboard leads to', async () => {
    const alike = { firstName: 'Telmo', lastName: 'Ruas', mlsId: 'LX-121' };
    for (let count = 0; count < 6; count += 1) await id(alike);
    for (let count = 0; count < 8; count += 1)
      await id({ firstName: `Op${'abcdefgh'[count]}ra`, lastName: 'Central', phone: '+351210000122' });
    await compareAll(database.db);
    expect(
      (await caller.agents.checkDuplicates({ ...alike, email: 'telmo@ruas.example' })).lookAlikes.length,
    ).toBe(5);
    const colleague = { firstName: 'Xenia', lastName: 'Outra', phone: '+351210000122' };
    expect((await caller.agents.checkDuplicates(colleague)).lookAlikes).toEqual([]);
  });

  it('are only records that the caller may see', async () => {
    await using scene = await officeScene();
    const { all, db, offices } = scene;
    const hidden = { firstName: 'Zita', lastName: 'Alpalhão', phone: '+351910000123' };
    await all.agents.create({ ...hidden, officeId: offices.other });
    await compareAll(db);
    const limited = await scene.limited();
    expect((await all.agents.checkDuplicates(hidden)).lookAlikes).toHaveLength(1);
    expect((await limited.agents.checkDuplicates(hidden)).lookAlikes).toEqual([]);
  });
});

describe('the list of pairs', () => {
  it('is in pages by score, and narrowed by office, kind and score', async () => {
    const { id: officeId } = await caller.offices.create({ name: 'Only here' });
    const alike = { firstName: 'Leonor', lastName: 'Quintela', phone: '+351910000107' };
    for (let count = 0; count < 4; count += 1) await id({ ...alike, officeId });
    await id({ ...alike, mlsId: 'LX-1', officeId: null });
    await compareAll(database.db);
    const query = { officeId, minScore: 0.5, limit: 4, includeTotal: true };
    const first = await caller.agents.duplicates(query);
    expect(first.total).toBe(10);
    const second = await caller.agents.duplicates({ ...query, cursor: first.nextCursor });
    const third = await caller.agents.duplicates({ ...query, cursor: second.nextCursor });
    const all = [first, second, third].flatMap(({ items }) => items);
    expect(new Set(all.map((pair) => pair.id)).size).toBe(10);
    const scores = all.map(({ score }) => score);
    expect(scores).toEqual(scores.toSorted((left, right) => right - left));
    expect((await caller.agents.duplicates({ officeId, kind: 'email' })).items).toEqual([]);
    expect(
      (await caller.agents.duplicates({ ...query, limit: 50, kind: ['email', 'name'] })).items,
    ).toHaveLength(10);
  });

  it('leaves out what was decided not to be the same, also after changes, until that is taken back', async () => {
    const phone = '+351910000108';
    const first = await id({ firstName: 'Inês', lastName: 'Barata', phone });
    const second = await id({ firstName: 'Inês', lastName: 'Barata', phone });
    const [found] = await pairsWith(first);
    const pair = found?.id ?? '';
    const decided = await caller.agents.dismissDuplicate({ id: pair, reason: 'Cousins' });
    expect(decided).toMatchObject({ dismissalReason: 'Cousins', actor: { type: 'key' } });
    expect(await caller.agents.dismissDuplicate({ id: pair, reason: 'Again' })).toEqual(decided);
    await caller.agents.update({ id: second, mobilePhone: phone });
    expect(await pairsWith(first)).toEqual([]);
    expect(await pairsWith(first, { state: 'dismissed' })).toMatchObject([{ id: pair }]);
    expect(await caller.agents.reopenDuplicate({ id: pair })).toMatchObject({
      dismissedAt: null,
      actor: null,
    });
    expect(await pairsWith(first)).toMatchObject([{ id: pair }]);
  });

  it('has for a limited caller the pairs of which it may see both records, to read and to decide', async () => {
    await using scene = await officeScene();
    const { all, db, offices } = scene;
    const make = (officeId: string) =>
      all.agents.create({ firstName: 'Nuno', lastName: 'Valadas', phone: '+351910000109', officeId });
    await make(offices.main);
    await make(offices.branch);
    await make(offices.other);
    await compareAll(db);
    const limited = await scene.limited();
    expect((await all.agents.duplicates({})).items).toHaveLength(3);
    const { items, total } = await limited.agents.duplicates({ includeTotal: true });
    expect(items.map(({ records }) => records.map(({ officeId }) => officeId))).toEqual([
      [offices.main, offices.branch],
    ]);
    expect(total).toBe(1);
    expect((await limited.agents.duplicates({ officeId: offices.other })).items).toEqual([]);
    for (const hidden of (await all.agents.duplicates({ officeId: offices.other })).items) {
      expect(await rejected(limited.agents.dismissDuplicate({ id: hidden.id }))).toMatchObject({
        errorCode: 'not_found',
      });
    }
    expect((await limited.agents.dismissDuplicate({ id: items[0]?.id ?? '' })).dismissedAt).not.toBeNull();
  });
});
