import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';
import { definitions } from '../../directory/registry.ts';
import type { Reference } from '../../engine/definition.ts';
import { assignPositions } from '../../log/sequencer.ts';

let scene: OfficeScene;
let all: Caller;
let agent: OfficeScene['createAgent'];
beforeAll(async () => {
  scene = await officeScene();
  all = scene.all;
  agent = scene.createAgent;
});
afterAll(() => scene[Symbol.asyncDispose]());

const office = (fields: object = {}) => all.offices.create({ name: 'Casa', ...fields });

/** The events of a record, oldest first, after they have their positions. */
async function eventsOf(id: string) {
  await assignPositions(scene.db);
  return (await all.events.list({ after: '0', subject: id, limit: 200 })).items;
}

describe('a merge', () => {
  it('keeps the values of the survivor, fills what it lacks, and unites lists', async () => {
    const survivor = await agent({
      phone: '+351910000001',
      languages: ['pt'],
      licenses: [{ number: 'A1', region: '11' }],
      metadata: { a: '1', b: '1' },
    });
    const duplicate = await agent({
      firstName: 'Anna',
      phone: '+351910000002',
      email: 'ana@example.com',
      languages: ['en', 'pt'],
      licenses: [{ number: 'a1', region: '11' }, { number: 'B2' }],
      metadata: { b: '2', c: '2' },
      source: { name: 'MLS', key: 'fill' },
    });
    const merged = await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    expect(merged).toMatchObject({
      id: survivor.id,
      version: 2,
      displayName: 'Ana Reis',
      phone: '+351910000001',
      email: 'ana@example.com',
      languages: ['pt', 'en'],
      licenses: [{ number: 'A1' }, { number: 'B2' }],
      metadata: { a: '1', b: '1', c: '2' },
      source: { name: 'MLS', key: 'fill' },
      duplicateId: duplicate.id,
      moved: {},
    });
    const { mergeId: _, duplicateId: __, moved: ___, ...record } = merged;
    expect(await all.agents.get({ id: survivor.id })).toEqual(record);
  });

  it('takes the values that are chosen, and rejects choices that cannot be', async () => {
    const survivor = await agent({ phone: '+351910000001', languages: ['pt'] });
    const duplicate = await agent({ firstName: 'Eva', phone: '+351910000002', languages: ['en'] });
    const pair = { id: survivor.id, duplicateId: duplicate.id };
    const wrong = { phone: 'both', status: 'duplicate', shoeSize: 'duplicate' } as const;
    expect(await rejected(all.agents.merge({ ...pair, fields: wrong }))).toMatchObject({
      errorCode: 'validation_failed',
      errors: [
        { pointer: '#/fields/phone', code: 'not_allowed' },
        { pointer: '#/fields/status', code: 'read_only' },
        { pointer: '#/fields/shoeSize', code: 'unknown_field' },
      ],
    });
    const fields = { firstName: 'duplicate', phone: 'duplicate', languages: 'survivor' } as const;
    const expected = { firstName: 'Eva', displayName: 'Eva Reis', phone: '+351910000002', languages: ['pt'] };
    expect(await all.agents.merge({ ...pair, fields, dryRun: true })).toMatchObject({
      ...expected,
      mergeId: null,
    });
    expect(await all.agents.get({ id: duplicate.id })).toEqual(duplicate);
    expect(await all.agents.get({ id: survivor.id })).toEqual(survivor);
    expect(await all.agents.merge({ ...pair, fields })).toMatchObject(expected);
  });

  it('moves all that refers to the duplicate, and what is scheduled, in the same transaction', async () => {
    const [survivor, duplicate] = [await office(), await office({ name: 'Casa 2' })];
    const branch = await office({ mainOfficeId: duplicate.id });
    const inIt = await agent({ officeId: duplicate.id });
    const affiliated = await agent({
      officeId: survivor.id,
      affiliations: [{ officeId: duplicate.id }, { officeId: scene.offices.other, title: 'Guest' }],
    });
    const both = await agent({
      affiliations: [{ officeId: survivor.id, title: 'Kept' }, { officeId: duplicate.id }],
    });
    const one = await agent({ affiliations: [{ officeId: duplicate.id, title: 'Moved' }] });
    const leaving = await agent();
    await all.agents.transfer({
      id: leaving.id,
      officeId: duplicate.id,
      effectiveAt: '2030-01-01T00:00:00Z',
    });
    await all.offices.deactivate({ id: duplicate.id, effectiveAt: '2030-02-01T00:00:00Z' });
    const view = await all.views.create({
      name: 'V',
      resource: 'agents',
      query: { officeId: [duplicate.id] },
    });
    const merged = await all.offices.merge({ id: survivor.id, duplicateId: duplicate.id });
    expect(merged.moved).toEqual({ offices: 1, agents: 4 });
    const read = (id: string) => all.agents.get({ id });
    expect((await all.offices.get({ id: branch.id })).mainOfficeId).toBe(survivor.id);
    expect((await read(inIt.id)).officeId).toBe(survivor.id);
    expect((await read(affiliated.id)).affiliations).toMatchObject([{ officeId: scene.offices.other }]);
    expect((await read(both.id)).affiliations).toMatchObject([{ officeId: survivor.id, title: 'Kept' }]);
    expect((await read(one.id)).affiliations).toMatchObject([{ officeId: survivor.id, title: 'Moved' }]);
    expect((await read(leaving.id)).scheduledChanges).toMatchObject([{ officeId: survivor.id }]);
    expect(merged.scheduledChanges).toMatchObject([{ change: 'deactivate' }]);
    expect((await all.scheduledChanges.list({ subject: survivor.id, status: 'pending' })).items).toHaveLength(
      1,
    );
    expect((await all.views.get({ id: view.id })).query).toEqual({ officeId: [survivor.id] });
  });

  it('of agents moves brokers, managers and assistants, and lets nobody assist themselves', async () => {
    const duplicate = await agent();
    const survivor = await agent({ assistantToAgentId: duplicate.id });
    const assistant = await agent({ assistantToAgentId: duplicate.id });
    const led = await office({ brokerAgentId: duplicate.id, managerAgentId: duplicate.id });
    const merged = await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    expect(merged).toMatchObject({ assistantToAgentId: null, moved: { offices: 1, agents: 1 } });
    expect((await all.agents.get({ id: assistant.id })).assistantToAgentId).toBe(survivor.id);
    expect(await all.offices.get({ id: led.id })).toMatchObject({
      brokerAgentId: survivor.id,
      managerAgentId: survivor.id,
      version: 2,
    });
  });

  it('makes a branch the successor of the office that is merged into it', async () => {
    const top = await office();
    const duplicate = await office({ mainOfficeId: top.id });
    const survivor = await office({ mainOfficeId: duplicate.id });
    expect(await all.offices.merge({ id: survivor.id, duplicateId: duplicate.id })).toMatchObject({
      mainOfficeId: top.id,
    });
  });

  it('leaves the id of the duplicate leading to the survivor, over several merges, for those who may see it', async () => {
    const [first, second, third] = [
      await agent(),
      await agent(),
      await agent({ officeId: scene.offices.other }),
    ];
    await all.agents.merge({ id: second.id, duplicateId: first.id });
    await all.agents.merge({ id: third.id, duplicateId: second.id });
    const merged = { errorCode: 'record_merged', mergedInto: third.id };
    expect(await rejected(all.agents.get({ id: first.id }))).toMatchObject(merged);
    expect(await rejected(all.agents.update({ id: second.id, title: 'X' }))).toMatchObject(merged);
    expect(await rejected(all.agents.deactivate({ id: first.id }))).toMatchObject(merged);
    expect(await rejected(all.agents.delete({ id: first.id }))).toMatchObject(merged);
    expect(await rejected(all.agents.restore({ id: first.id }))).toMatchObject(merged);
    expect(await rejected(all.agents.revert({ id: first.id, toVersion: 1 }))).toMatchObject(merged);
    expect(await rejected(all.agents.merge({ id: third.id, duplicateId: first.id }))).toMatchObject(merged);
    const deleted = await all.deletedRecords.list({ resource: ['agents'], limit: 200 });
    expect(deleted.items.map(({ id }) => id)).not.toContain(first.id);
    const limited = await scene.limited();
    expect(await rejected(limited.agents.get({ id: first.id }))).toMatchObject({ errorCode: 'not_found' });
  });

  it('has events from which a reader follows what became of both, in their order, with one id', async () => {
    const [survivor, duplicate] = [await agent(), await agent({ email: 'feed@example.com' })];
    const assistant = await agent({ assistantToAgentId: duplicate.id });
    const { mergeId } = await all.agents.merge({
      id: survivor.id,
      duplicateId: duplicate.id,
      reason: 'Twice',
    });
    await assignPositions(scene.db);
    const { items } = await all.events.list({ after: '0', limit: 200 });
    const own = items.filter(({ details }) => details?.mergeId === mergeId);
    expect(own.map(({ type, subject }) => [type, subject])).toEqual([
      ['agent.updated', assistant.id],
      ['agent.merged', duplicate.id],
      ['agent.deleted', duplicate.id],
      ['agent.merged', survivor.id],
    ]);
    expect(own[1]?.details).toEqual({ mergeId, mergedInto: survivor.id });
    expect(own[3]).toMatchObject({ details: { mergeId, mergedFrom: duplicate.id }, reason: 'Twice' });
    const [newest] = (await all.agents.history({ id: survivor.id })).items;
    expect(newest).toMatchObject({
      type: 'agent.merged',
      changes: expect.arrayContaining([expect.objectContaining({ field: 'email' })]),
      details: { mergedFrom: duplicate.id },
      merge: { resource: 'agents', survivor: { id: survivor.id }, duplicate: { id: duplicate.id } },
    });
  });

  it('needs both records, of the versions that are named', async () => {
    const [survivor, duplicate] = [await agent({ officeId: scene.offices.main }), await agent()];
    const pair = { id: survivor.id, duplicateId: duplicate.id };
    expect(await rejected(all.agents.merge({ ...pair, ifVersion: 2 }))).toMatchObject({
      errorCode: 'version_conflict',
    });
    expect(await rejected(all.agents.merge({ ...pair, duplicateVersion: 2 }))).toMatchObject({
      errorCode: 'version_conflict',
    });
    expect(await rejected(all.agents.merge({ ...pair, duplicateId: survivor.id }))).toMatchObject({
      errors: [{ pointer: '#/duplicateId', code: 'self' }],
    });
    const limited = await scene.limited();
    expect(await rejected(limited.agents.merge(pair))).toMatchObject({ errorCode: 'not_found' });
    await all.agents.update({ id: duplicate.id, officeId: scene.offices.branch });
    expect(await limited.agents.merge({ ...pair, ifVersion: 1, duplicateVersion: 2 })).toMatchObject({
      version: 2,
    });
  });

  it('keeps a key that is limited to an office that was merged limited to the survivor', async () => {
    const [survivor, duplicate] = [await office(), await office()];
    const { id } = await agent({ officeId: duplicate.id });
    await all.offices.merge({ id: survivor.id, duplicateId: duplicate.id });
    const limited = await scene.limited([duplicate.id]);
    expect((await limited.agents.list({})).items.map((one) => one.id)).toEqual([id]);
  });

  it('finds the survivor by the source of the duplicate, and an import does not bring it back', async () => {
    const survivor = await agent({ source: { name: 'MLS', key: 'stays' } });
    const duplicate = await agent({ source: { name: 'MLS', key: 'goes' } });
    await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    const records = [
      { firstName: 'Ana', lastName: 'Reis', title: 'New', source: { name: 'MLS', key: 'goes' } },
    ];
    const response = await all.imports.agents({ records, mode: 'upsert' });
    expect(response.results).toMatchObject([{ status: 'updated', id: survivor.id, matchedBy: 'source' }]);
    expect(await all.agents.get({ id: survivor.id })).toMatchObject({
      title: 'New',
      source: { key: 'stays' },
    });
  });

  it('knows every foreign key to a record: the definitions name what refers to it', async () => {
    const tables = definitions.map(({ table }) => table as string);
    const known = definitions.flatMap(({ table, references }) =>
      Object.entries<Reference>(references).map(
        ([column, { items }]) => items?.foreignKey ?? `${table}_${column}_fkey`,
      ),
    );
    const { rows } = await sql<{ name: string }>`
      select conname as name from pg_constraint
      where contype = 'f' and confrelid::regclass::text = any(${tables}) and (confdeltype <> 'c' or conname = any(${known}))`.execute(
      scene.db,
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });
});

describe('the undo of a merge', () => {
  it('brings both records back as they were, with all that referred to them', async () => {
    const [survivor, duplicate] = [
      await office({ phone: '+351210000001' }),
      await office({
        name: 'Casa 2',
        phone: '+351210000002',
        email: 'casa@example.com',
        source: { name: 'MLS', key: 'u1' },
      }),
    ];
    const agents = [
      await agent({ officeId: duplicate.id, affiliations: [{ officeId: survivor.id }] }),
      await agent({ affiliations: [{ officeId: survivor.id }, { officeId: duplicate.id, title: 'T' }] }),
    ];
    const branch = await office({ mainOfficeId: duplicate.id });
    await all.offices.deactivate({ id: duplicate.id, effectiveAt: '2030-02-01T00:00:00Z' });
    const view = await all.views.create({
      name: 'V',
      resource: 'agents',
      query: { officeId: [duplicate.id, survivor.id] },
    });
    const before = await Promise.all([survivor, duplicate, branch].map(({ id }) => all.offices.get({ id })));
    await all.offices.merge({ id: survivor.id, duplicateId: duplicate.id, fields: { phone: 'duplicate' } });
    const merged = await all.offices.get({ id: survivor.id });
    const notReturned = { scheduledChanges: 0, views: 0 };
    expect(await all.offices.unmerge({ id: duplicate.id, dryRun: true })).toMatchObject({
      name: duplicate.name,
      conflicts: [],
      notReturned,
    });
    expect(await all.offices.get({ id: survivor.id })).toEqual(merged);
    const undone = await all.offices.unmerge({ id: duplicate.id, reason: 'Two offices' });
    expect(undone).toMatchObject({ survivorId: survivor.id, conflicts: [], notReturned });
    const lasting = ({
      version: _,
      updatedAt: __,
      ...record
    }: object & { version: number; updatedAt: string }) => record;
    const after = await Promise.all([survivor, duplicate, branch].map(({ id }) => all.offices.get({ id })));
    expect(after.map(lasting)).toEqual(before.map(lasting));
    for (const one of agents) {
      const now = await all.agents.get({ id: one.id });
      expect([now.officeId, now.affiliations]).toEqual([one.officeId, one.affiliations]);
    }
    expect((await all.views.get({ id: view.id })).query).toEqual(view.query);
    const events = await eventsOf(duplicate.id);
    expect(events.map(({ type }) => type).slice(-4)).toEqual([
      'office.merged',
      'office.deleted',
      'office.restored',
      'office.updated',
    ]);
    expect(await rejected(all.offices.unmerge({ id: duplicate.id }))).toMatchObject({
      errorCode: 'not_found',
    });
  });

  it('keeps what was changed since, and names it', async () => {
    const [survivor, duplicate] = [await agent(), await agent({ phone: '+351910000005', title: 'Broker' })];
    const assistant = await agent({ assistantToAgentId: duplicate.id });
    const gone = await agent({ assistantToAgentId: duplicate.id });
    const view = await all.views.create({ name: 'V', resource: 'agents', query: { q: duplicate.id } });
    await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    await all.agents.update({ id: survivor.id, phone: '+351910000006' });
    await all.agents.update({ id: assistant.id, assistantToAgentId: null });
    await all.agents.delete({ id: gone.id });
    await all.views.update({ id: view.id, name: 'Renamed' });
    for (const dryRun of [true, false]) {
      const undone = await all.agents.unmerge({ id: duplicate.id, dryRun });
      expect(undone.conflicts).toHaveLength(3);
      expect(undone.conflicts).toEqual(
        expect.arrayContaining([
          { resource: 'agents', id: survivor.id, field: 'phone' },
          { resource: 'agents', id: assistant.id, field: 'assistantToAgentId' },
          { resource: 'agents', id: gone.id, field: null },
        ]),
      );
      expect(undone.notReturned).toEqual({ scheduledChanges: 0, views: 1 });
    }
    expect(await all.agents.get({ id: survivor.id })).toMatchObject({ phone: '+351910000006', title: null });
  });

  it('of a chain begins with the last merge, and of a deleted survivor brings the duplicate back', async () => {
    const [first, second, third] = [await agent(), await agent(), await agent()];
    await all.agents.merge({ id: second.id, duplicateId: first.id });
    await all.agents.merge({ id: third.id, duplicateId: second.id });
    expect(await rejected(all.agents.unmerge({ id: first.id }))).toMatchObject({
      errorCode: 'record_merged',
      mergedInto: third.id,
    });
    await all.agents.unmerge({ id: second.id });
    await all.agents.delete({ id: second.id });
    expect(await all.agents.unmerge({ id: first.id })).toMatchObject({
      id: first.id,
      conflicts: [{ id: second.id, field: null }],
    });
  });

  it('is rejected as a whole where a value was taken since, and after the time for which deleted records are kept', async () => {
    const [survivor, duplicate] = [
      await agent({ email: 'one@example.com' }),
      await agent({ email: 'two@example.com' }),
    ];
    await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    await all.agents.update({ id: survivor.id, email: 'two@example.com' });
    expect(await rejected(all.agents.unmerge({ id: duplicate.id }))).toMatchObject({
      errorCode: 'email_taken',
    });
    expect(await rejected(all.agents.get({ id: duplicate.id }))).toMatchObject({
      errorCode: 'record_merged',
    });
    await all.agents.update({ id: survivor.id, email: 'one@example.com' });
    await scene.db
      .updateTable('tombstone')
      .set({ deleted_at: new Date('2020-01-01') })
      .where('id', '=', duplicate.id)
      .execute();
    expect(await rejected(all.agents.unmerge({ id: duplicate.id }))).toMatchObject({
      errorCode: 'not_found',
    });
  });
});
