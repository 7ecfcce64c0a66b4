import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';

let scene: OfficeScene;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterAll(() => scene[Symbol.asyncDispose]());

let count = 0;
const next = () => {
  count += 1;
  return `${count}`;
};
const eva = { firstName: 'Eva', lastName: 'Reis' };
const newSource = () => ({ name: 'MLS', key: next() });
const newEmail = () => `eva-${next()}@roster.example`;

type AgentRecords = Parameters<Caller['imports']['agents']>[0];
type OfficeRecords = Parameters<Caller['imports']['offices']>[0];
type Imported = { errorCode: string; fields: string[] };
/** Imports as a caller who is limited to the offices as they are now. */
const now = async () => (await scene.limited()).imports;
/** Why the only record of an import is rejected: the same in both modes, and in a dry run. */
async function rejection(call: (options: { isAtomic?: boolean; dryRun?: boolean }) => Promise<unknown>) {
  const error = await rejected(call({}));
  const atomic: Imported = { errorCode: error.errorCode, fields: fieldErrorsOf(error) };
  for (const dryRun of [true, false]) {
    expect(await rejected(call({ dryRun }))).toMatchObject({ errorCode: atomic.errorCode });
    const response = (await call({ isAtomic: false, dryRun })) as Awaited<
      ReturnType<Caller['imports']['agents']>
    >;
    expect(response).toMatchObject({ errors: 1, results: [{ status: 'error', id: null, version: null }] });
    const { code, errors = [] } = response.results[0]?.error ?? {};
    expect({ errorCode: code, fields: fieldErrorsOf({ errors }) }).toEqual(atomic);
  }
  return [atomic.errorCode, ...atomic.fields];
}
const ofAgents = (options: Omit<AgentRecords, 'isAtomic' | 'dryRun'>) =>
  rejection(async (more) => (await now()).agents({ ...options, ...more }));
const ofOffices = (options: Omit<OfficeRecords, 'isAtomic' | 'dryRun'>) =>
  rejection(async (more) => (await now()).offices({ ...options, ...more }));

describe('a record that an import of a limited caller would create', () => {
  it('is created in an office within, named in any way', async () => {
    const { offices } = scene;
    const source = newSource();
    await scene.all.offices.update({ id: offices.branch, source });
    const records = [
      { ...eva, officeId: offices.main },
      { ...eva, officeSource: source },
      { ...eva, officeName: 'gaia' },
    ];
    const { results } = await limited.imports.agents({ records });
    const inOffices = await Promise.all(
      results.map(async ({ id }) => (await scene.all.agents.get({ id: id ?? '' })).officeId),
    );
    expect(inOffices).toEqual([offices.main, offices.branch, offices.branch]);
  });

  it('is rejected in another office as in one that does not exist', async () => {
    const source = newSource();
    const { id } = await scene.all.offices.create({ name: 'Far', source });
    const missing = 'reference_not_found';
    expect(await ofAgents({ records: [{ ...eva, officeId: id }] })).toEqual([
      missing,
      '#/records/0/officeId not_found',
    ]);
    expect(await ofAgents({ records: [{ ...eva, officeSource: source }] })).toEqual([
      missing,
      '#/records/0/officeSource not_found',
    ]);
    expect(await ofAgents({ records: [{ ...eva, officeName: 'Far' }] })).toEqual([
      missing,
      '#/records/0/officeName not_found',
    ]);
    const office = { name: 'New', mainOfficeId: id };
    expect(await ofOffices({ records: [office] })).toEqual([missing, '#/records/0/mainOfficeId not_found']);
  });

  it('is rejected without an office', async () => {
    const right = 'insufficient_scope';
    expect(await ofAgents({ records: [eva] })).toEqual([right, '#/records/0/officeId not_allowed']);
    expect(await ofOffices({ records: [{ name: 'New' }] })).toEqual([
      right,
      '#/records/0/mainOfficeId not_allowed',
    ]);
  });

  it('can be below an office of the same import, if that is within', async () => {
    const [first, second, outside, below] = [newSource(), newSource(), newSource(), newSource()];
    const records = [
      { name: 'B', source: second, mainOfficeSource: first },
      { name: 'A', source: first, mainOfficeId: scene.offices.main },
      { name: 'C', source: outside },
      { name: 'D', source: below, mainOfficeSource: outside },
    ];
    const { results } = await limited.imports.offices({ records, isAtomic: false });
    expect(results.map(({ status, error }) => error?.code ?? status)).toEqual([
      ...['created', 'created'],
      ...['insufficient_scope', 'reference_not_found'],
    ]);
  });

  it('refers to agents within alone', async () => {
    const { agents, offices } = scene;
    const named = { ...eva, officeId: offices.main };
    expect(await ofAgents({ records: [{ ...named, assistantToAgentId: agents.other }] })).toEqual([
      'reference_not_found',
      '#/records/0/assistantToAgentId not_found',
    ]);
    const affiliations = [{ officeId: offices.other }];
    expect(await ofAgents({ records: [{ ...named, affiliations }] })).toEqual([
      'reference_not_found',
      '#/records/0/affiliations not_found',
    ]);
    const office = { name: 'New', mainOfficeId: offices.main, brokerAgentId: agents.none };
    expect(await ofOffices({ records: [office] })).toEqual([
      'reference_not_found',
      '#/records/0/brokerAgentId not_found',
    ]);
  });

  it('finds its office by a name that several offices have if one of them is within', async () => {
    const { offices } = scene;
    const name = `Twin ${next()}`;
    for (const mainOfficeId of [null, null, offices.main])
      await scene.all.offices.create({ name, mainOfficeId });
    const records = [{ ...eva, officeName: name }];
    expect(await (await now()).agents({ records, dryRun: true })).toMatchObject({ created: 1 });
    expect(await rejected(scene.all.imports.agents({ records }))).toMatchObject({
      errors: [{ code: 'ambiguous' }],
    });
  });
});

describe('a record that is there, and not within', () => {
  it('is not changed: its source and its e-mail address are taken', async () => {
    const { offices } = scene;
    const [source, email] = [newSource(), newEmail()];
    const { id } = await scene.all.agents.create({ ...eva, source, email, officeId: offices.other });
    const moved = { ...eva, title: 'x', officeId: offices.main };
    for (const mode of ['create', 'upsert', 'match'] as const)
      expect(await ofAgents({ mode, records: [{ ...moved, source }] })).toEqual([
        'source_taken',
        '#/records/0/source taken',
      ]);
    for (const mode of ['create', 'match'] as const)
      expect(await ofAgents({ mode, records: [{ ...moved, email }] })).toEqual([
        'email_taken',
        '#/records/0/email taken',
      ]);
    expect(await scene.all.agents.get({ id })).toMatchObject({ version: 1, officeId: offices.other });
  });

  it('is not changed if it is an office, whose e-mail address is not unique', async () => {
    const [source, email] = [newSource(), newEmail()];
    const { id } = await scene.all.offices.create({ name: 'Far', source, email });
    const below = { name: 'Far', mainOfficeId: scene.offices.main };
    expect(await ofOffices({ mode: 'upsert', records: [{ ...below, source }] })).toEqual([
      'source_taken',
      '#/records/0/source taken',
    ]);
    const { results } = await limited.imports.offices({ mode: 'match', records: [{ ...below, email }] });
    expect(results[0]?.id).not.toBe(id);
    expect(await scene.all.offices.get({ id })).toMatchObject({ version: 1 });
  });
});

describe('a record that is there, and within', () => {
  it('is changed by its source and by its e-mail address', async () => {
    const { offices } = scene;
    const [source, email] = [newSource(), newEmail()];
    const { id } = await scene.all.agents.create({ ...eva, source, email, officeId: offices.branch });
    const upsert = { mode: 'upsert' as const, records: [{ ...eva, source, title: 'a' }] };
    expect(await limited.imports.agents(upsert)).toMatchObject({ results: [{ id, status: 'updated' }] });
    expect(await limited.imports.agents(upsert)).toMatchObject({ results: [{ id, status: 'unchanged' }] });
    const records = [{ ...eva, email, title: 'b', officeId: offices.main }];
    expect(await limited.imports.agents({ mode: 'match', records })).toMatchObject({ updated: 1 });
  });

  it('does not leave the limit', async () => {
    const { offices } = scene;
    const source = newSource();
    const office = newSource();
    await scene.all.agents.create({ ...eva, source, officeId: offices.branch });
    const below = await scene.all.offices.create({
      name: 'Below',
      source: office,
      mainOfficeId: offices.branch,
    });
    const mode = 'upsert';
    expect(await ofAgents({ mode, records: [{ ...eva, source, officeId: offices.other }] })).toEqual([
      'reference_not_found',
      '#/records/0/officeId not_found',
    ]);
    expect(await ofAgents({ mode, records: [{ ...eva, source, officeId: null }] })).toEqual([
      'insufficient_scope',
      '#/records/0/officeId not_allowed',
    ]);
    const out = { name: 'Below', source: office, mainOfficeId: null };
    expect(await ofOffices({ mode, records: [out] })).toEqual([
      'insufficient_scope',
      '#/records/0/mainOfficeId not_allowed',
    ]);
    expect(await scene.all.offices.get({ id: below.id })).toMatchObject({ version: 1 });
  });

  it('keeps the references that it has, also to what is not within', async () => {
    const { offices, agents } = scene;
    const [source, mainSource, agentSource] = [newSource(), newSource(), newSource()];
    const { id: mainOfficeId } = await scene.all.offices.create({ name: 'Group', source: mainSource });
    const held = { name: 'Kept', source, brokerAgentId: agents.other };
    const { id: officeId } = await scene.all.offices.create({ ...held, mainOfficeId });
    const affiliations = [{ officeId: offices.other }];
    const agent = { ...eva, source: agentSource, officeId, affiliations, assistantToAgentId: agents.none };
    await scene.all.agents.create(agent);
    const { imports } = await scene.limited([officeId]);
    const mode = 'upsert';
    for (const main of [
      { mainOfficeId },
      { mainOfficeSource: mainSource },
      { mainOfficeSourceKey: mainSource.key },
    ])
      expect(await imports.offices({ mode, records: [{ ...held, ...main }] })).toMatchObject({
        unchanged: 1,
      });
    expect(await imports.agents({ mode, records: [agent] })).toMatchObject({ unchanged: 1 });
    const { id: elsewhere } = await scene.all.offices.create({ name: 'Elsewhere' });
    expect(
      await rejected(imports.offices({ mode, records: [{ ...held, mainOfficeId: elsewhere }] })),
    ).toMatchObject({
      errorCode: 'reference_not_found',
    });
    expect(await imports.offices({ mode, records: [{ ...held, mainOfficeId: null }] })).toMatchObject({
      updated: 1,
    });
  });
});

it('an import is for people with the role of a manager', async () => {
  const editor = await scene.person('editor');
  for (const call of [
    () => editor.imports.agents({ records: [eva] }),
    () => editor.imports.offices({ records: [{ name: 'New' }] }),
  ])
    expect(await rejected(call())).toMatchObject({ errorCode: 'insufficient_scope' });
  const manager = await scene.person('manager', [scene.offices.main]);
  const records = [{ ...eva, officeId: scene.offices.main }];
  expect(await manager.imports.agents({ records, dryRun: true })).toMatchObject({ created: 1 });
});

describe('email addresses that an import of a limited caller passes on', () => {
  it('are those of agents within, and not of one beyond', async () => {
    const { offices } = scene;
    const agent = async (officeId: string) => {
      const [source, email] = [newSource(), newEmail()];
      await scene.createAgent({ officeId, source, email });
      return { ...eva, source, email };
    };
    const [a, b, beyond] = [
      await agent(offices.main),
      await agent(offices.branch),
      await agent(offices.other),
    ];
    const records = [
      { ...a, email: b.email },
      { ...b, email: a.email },
    ];
    expect(await (await now()).agents({ mode: 'upsert', records })).toMatchObject({ updated: 2 });
    const others = [
      { ...a, email: beyond.email },
      { ...beyond, email: newEmail(), officeId: offices.main },
    ];
    const { results } = await (await now()).agents({ mode: 'upsert', records: others, isAtomic: false });
    expect(results.map(({ error }) => error?.code)).toEqual(['email_taken', 'source_taken']);
  });
});
