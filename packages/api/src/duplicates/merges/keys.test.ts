import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { compareAll } from '../../../test/support/comparison.ts';
import { untilWaiting } from '../../../test/support/lock-waits.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { rejected } from '../../../test/support/rejected.ts';
import { definitions } from '../../directory/registry.ts';
import { purgeTombstones } from '../../host/maintenance.ts';

let scene: OfficeScene;
let all: Caller;
let agent: OfficeScene['createAgent'];
beforeEach(async () => {
  scene = await officeScene();
  all = scene.all;
  agent = scene.createAgent;
});
afterEach(() => scene[Symbol.asyncDispose]());

/** Two agents, of which the second was merged into the first. */
async function mergedAgents() {
  const survivor = await agent({ email: 'ana@one.example', source: { name: 'CRM', key: 'one' } });
  const duplicate = await agent({
    firstName: 'Anna',
    email: 'ana@two.example',
    source: { name: 'CRM', key: 'two' },
  });
  await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id });
  return { survivor, duplicate };
}

const person = { firstName: 'Ana', lastName: 'Reis' };

describe('the email address and the source of a duplicate', () => {
  it('stay taken: a new record with one of them is rejected with the survivor, who may take them', async () => {
    const { survivor } = await mergedAgents();
    expect(await rejected(agent({ email: 'ANA@two.example' }))).toMatchObject({
      errorCode: 'email_taken',
      mergedInto: survivor.id,
      errors: [{ pointer: '#/email', code: 'taken', detail: expect.stringContaining(survivor.id) }],
    });
    expect(await rejected(agent({ source: { name: 'CRM', key: 'two' } }))).toMatchObject({
      errorCode: 'source_taken',
      mergedInto: survivor.id,
      errors: [{ pointer: '#/source', code: 'taken' }],
    });
    const other = await agent();
    expect(await rejected(all.agents.update({ id: other.id, email: 'ana@two.example' }))).toMatchObject({
      errorCode: 'email_taken',
      mergedInto: survivor.id,
    });
    const taken = { email: 'ana@two.example', source: { name: 'CRM', key: 'two' } };
    expect(await all.agents.update({ id: survivor.id, ...taken })).toMatchObject(taken);
  });

  it('are not taken by a record that is created while the merge is not committed yet', async () => {
    const survivor = await agent({ email: 'ana@one.example' });
    const duplicate = await agent({ email: 'ana@two.example' });
    const trx = await scene.db.startTransaction().execute();
    await callerIn(trx).agents.merge({ id: survivor.id, duplicateId: duplicate.id });
    const creation = rejected(agent({ email: 'ana@two.example' }));
    await untilWaiting(scene.db, 1, { timeout: 5_000 });
    await trx.commit().execute();
    expect(await creation).toMatchObject({ errorCode: 'email_taken', mergedInto: survivor.id });
  });

  it('do not tell a caller of a survivor that is out of the limit', async () => {
    const { survivor } = await mergedAgents();
    await all.agents.update({ id: survivor.id, officeId: scene.offices.other });
    const limited = await scene.limited();
    const create = { ...person, officeId: scene.offices.main };
    const live = await rejected(limited.agents.create({ ...create, email: 'ana@one.example' }));
    const merged = await rejected(limited.agents.create({ ...create, email: 'ana@two.example' }));
    expect([merged.errorCode, merged.message, merged.errors, merged.mergedInto]).toEqual([
      live.errorCode,
      live.message,
      live.errors,
      undefined,
    ]);
  });

  it('lead to the last survivor of a chain, and to nobody while that is deleted', async () => {
    const { survivor } = await mergedAgents();
    const last = await agent({ email: 'ana@three.example' });
    await all.agents.merge({ id: last.id, duplicateId: survivor.id });
    for (const email of ['ana@one.example', 'ana@two.example'])
      expect(await rejected(agent({ email }))).toMatchObject({
        errorCode: 'email_taken',
        mergedInto: last.id,
      });
    await all.agents.delete({ id: last.id });
    const taker = await agent({ email: 'ana@two.example' });
    await all.agents.restore({ id: last.id });
    expect(await rejected(agent({ email: 'ana@one.example' }))).toMatchObject({ mergedInto: last.id });
    const records = [{ ...person, email: 'ana@two.example' }];
    expect((await all.imports.agents({ records, mode: 'match' })).results).toMatchObject([
      { id: taker.id, matchedBy: 'email' },
    ]);
  });

  it('are those of the duplicate alone again after the undo', async () => {
    const { survivor, duplicate } = await mergedAgents();
    expect(await all.agents.unmerge({ id: duplicate.id })).toMatchObject({
      email: 'ana@two.example',
      conflicts: [],
    });
    const records = [{ ...person, firstName: 'Anna', email: 'ana@two.example' }];
    expect((await all.imports.agents({ records, mode: 'match' })).results).toMatchObject([
      { id: duplicate.id, status: 'unchanged' },
    ]);
    const error = await rejected(agent({ email: 'ana@two.example' }));
    expect(error).toMatchObject({ errorCode: 'email_taken', mergedInto: undefined });
    expect(await all.agents.get({ id: survivor.id })).toMatchObject({ email: 'ana@one.example' });
  });

  it('of the survivor lead to it too, where it took those of the duplicate', async () => {
    const survivor = await agent({ email: 'ana@one.example', source: { name: 'CRM', key: 'one' } });
    const duplicate = await agent({ email: 'ana@two.example', source: { name: 'CRM', key: 'two' } });
    const fields = { email: 'duplicate', source: 'duplicate' } as const;
    await all.agents.merge({ id: survivor.id, duplicateId: duplicate.id, fields });
    expect(await rejected(agent({ email: 'ana@one.example' }))).toMatchObject({ mergedInto: survivor.id });
    const records = [{ ...person, title: 'New', source: { name: 'CRM', key: 'one' } }];
    expect((await all.imports.agents({ records, mode: 'upsert' })).results).toMatchObject([
      { status: 'updated', id: survivor.id },
    ]);
    expect(await all.agents.get({ id: survivor.id })).toMatchObject({ source: { key: 'two' }, title: 'New' });
    await all.agents.unmerge({ id: duplicate.id });
    expect(await all.agents.get({ id: survivor.id })).toMatchObject({ email: 'ana@one.example' });
  });

  it('are forgotten with the survivor when its retention has ended', async () => {
    const { survivor } = await mergedAgents();
    await all.agents.delete({ id: survivor.id });
    const later = { now: new Date(Date.now() + 40 * 24 * 3_600_000), retentionDays: 30 };
    await purgeTombstones(scene.db, definitions, later);
    const merges = await scene.db.selectFrom('record_merge').select(['email', 'name']).execute();
    expect(merges).toEqual([{ email: null, name: null }]);
  });

  it('stay known when the retention of the duplicate alone has ended', async () => {
    await mergedAgents();
    const later = { now: new Date(Date.now() + 40 * 24 * 3_600_000), retentionDays: 30 };
    await purgeTombstones(scene.db, definitions, later);
    expect(await rejected(agent({ email: 'ana@two.example' }))).toMatchObject({ errorCode: 'email_taken' });
  });
});

describe('an import', () => {
  it('changes the survivor by the address of the duplicate, and leaves it its own name and address', async () => {
    const { survivor } = await mergedAgents();
    const records = [{ ...person, firstName: 'Anna', title: 'Broker', email: 'ana@two.example' }];
    for (const dryRun of [true, false])
      expect((await all.imports.agents({ records, mode: 'match', dryRun })).results).toMatchObject([
        { status: 'updated', id: survivor.id, matchedBy: 'email' },
      ]);
    expect(await all.agents.get({ id: survivor.id })).toMatchObject({
      firstName: 'Ana',
      title: 'Broker',
      email: 'ana@one.example',
    });
    const renamed = [{ firstName: 'Rui', lastName: 'Costa', email: 'ana@two.example' }];
    const error = await rejected(all.imports.agents({ records: renamed, mode: 'match' }));
    expect(error).toMatchObject({ errors: [{ code: 'name_differs' }] });
  });

  it('with rows of both is told of the one of the duplicate, unless they say the same', async () => {
    const { survivor } = await mergedAgents();
    const rows = (title: string) => [
      { ...person, title, email: 'ana@two.example' },
      { ...person, title: 'Survivor', email: 'ana@one.example' },
    ];
    const imported = (title: string) => all.imports.agents({ records: rows(title), mode: 'match' });
    expect(await rejected(imported('Duplicate'))).toMatchObject({
      errors: [{ pointer: '#/records/0/email', code: 'repeated' }],
    });
    expect((await imported('Survivor')).results).toMatchObject([
      { status: 'unchanged', id: survivor.id },
      { status: 'updated', id: survivor.id },
    ]);
    expect((await all.agents.get({ id: survivor.id })).title).toBe('Survivor');
  });

  it('that creates, or names another source, is told that the address is taken', async () => {
    await mergedAgents();
    const record = { ...person, email: 'ana@two.example' };
    const created = all.imports.agents({ records: [record], mode: 'create' });
    expect(await rejected(created)).toMatchObject({ errorCode: 'email_taken' });
    const records = [{ ...record, source: { name: 'MLS', key: 'new' } }];
    expect(await rejected(all.imports.agents({ records, mode: 'upsert' }))).toMatchObject({
      errorCode: 'email_taken',
    });
  });

  it('finds an office by the address and the name of one that was merged into it, also as the office of agents', async () => {
    const survivor = await all.offices.create({ name: 'Casa Clara', email: 'clara@example.com' });
    const duplicate = await all.offices.create({ name: 'Casa Clara Baixa', email: 'baixa@example.com' });
    await all.offices.merge({ id: survivor.id, duplicateId: duplicate.id });
    const records = [{ name: 'casa clara baixa', email: 'baixa@example.com', bio: 'New' }];
    expect((await all.imports.offices({ records, mode: 'match' })).results).toMatchObject([
      { status: 'updated', id: survivor.id, matchedBy: 'emailAndName' },
    ]);
    expect(await all.offices.get({ id: survivor.id })).toMatchObject({
      name: 'Casa Clara',
      email: 'clara@example.com',
      bio: 'New',
    });
    const { results } = await all.imports.agents({
      records: [{ ...person, officeName: 'Casa Clara Baixa' }],
    });
    expect(await all.agents.get({ id: results[0]?.id ?? '' })).toMatchObject({ officeId: survivor.id });
    const again = await all.offices.create({ name: 'Casa Clara Baixa' });
    const second = await all.imports.agents({ records: [{ ...person, officeName: 'Casa Clara Baixa' }] });
    expect(await all.agents.get({ id: second.results[0]?.id ?? '' })).toMatchObject({ officeId: again.id });
  });

  it('finds the members of a team by the addresses of agents that were merged', async () => {
    const { survivor } = await mergedAgents();
    const records = [{ name: 'Team', members: [{ agentEmail: 'ana@two.example' }] }];
    const { results } = await all.imports.teams({ records });
    expect((await all.teams.get({ id: results[0]?.id ?? '' })).members).toMatchObject([
      { agentId: survivor.id },
    ]);
  });

  it('of a caller with a limit is told that a source and an address are taken, if the survivor is out of the limit', async () => {
    const { survivor } = await mergedAgents();
    await all.agents.update({ id: survivor.id, officeId: scene.offices.other });
    const limited = await scene.limited();
    const record = { ...person, officeId: scene.offices.main };
    const source = { name: 'CRM', key: 'two' };
    const sourced = limited.imports.agents({ records: [{ ...record, source }], mode: 'upsert' });
    expect(await rejected(sourced)).toMatchObject({ errorCode: 'source_taken' });
    const addressed = limited.imports.agents({
      records: [{ ...record, email: 'ana@two.example' }],
      mode: 'match',
    });
    expect(await rejected(addressed)).toMatchObject({ errorCode: 'email_taken' });
  });

  it('creates a record with its source where the survivor of that is gone', async () => {
    const { survivor } = await mergedAgents();
    await all.agents.delete({ id: survivor.id });
    const source = { name: 'CRM', key: 'two' };
    const { results } = await all.imports.agents({ records: [{ ...person, source }], mode: 'upsert' });
    expect(results).toMatchObject([{ status: 'created' }]);
    expect(await all.agents.get({ id: results[0]?.id ?? '' })).toMatchObject({ source });
  });
});

it('a check for duplicates finds the survivor by the address of the duplicate, and so do pairs', async () => {
  const { survivor } = await mergedAgents();
  await compareAll(scene.db);
  const { lookAlikes } = await all.agents.checkDuplicates({ ...person, email: 'Ana@two.example' });
  expect(lookAlikes).toMatchObject([{ record: { id: survivor.id } }]);
  expect(lookAlikes[0]?.reasons.map(({ kind }) => kind)).toContain('email');
  const { id } = await agent(person);
  await all.agents.merge({ id, duplicateId: (await agent({ email: 'rui@gmail.com' })).id });
  const alike = await agent({ ...person, email: 'r.u.i@gmail.com' });
  await compareAll(scene.db);
  const { items } = await all.agents.duplicates({ recordId: id });
  expect(items.map(({ records }) => records.map((one) => (one as { id: string }).id))).toEqual([
    [id, alike.id],
  ]);
  await all.agents.update({ id, email: null });
  await compareAll(scene.db);
  expect((await all.agents.duplicates({ recordId: id })).items).toHaveLength(1);
});
