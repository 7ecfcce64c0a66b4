import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { fieldErrorsOf, rejected } from '../../test/support/rejected.ts';
import { loadPayloads } from './sending/delivery-attempt.ts';
import { enqueueDeliveries } from './sending/fan-out.ts';

let scene: OfficeScene;
let limited: Caller;
beforeAll(async () => {
  scene = await officeScene();
  limited = await scene.limited();
});
afterAll(() => scene[Symbol.asyncDispose]());
beforeEach(() => sql`delete from webhook`.execute(scene.db));

const url = 'https://hooks.example.com/roster';
const codeOf = async (call: Promise<unknown>) => (await rejected(call)).errorCode;

describe('the offices of a webhook', () => {
  it('are those of the caller unless the request says otherwise, and none of an unlimited one', async () => {
    const { main } = scene.offices;
    expect(await limited.webhooks.create({ url })).toMatchObject({ officeIds: [main] });
    expect(await scene.all.webhooks.create({ url })).toMatchObject({ officeIds: null });
  });

  it('can be some of the caller, branches as well, each once', async () => {
    const { branch, main } = scene.offices;
    const officeIds = [branch, main, branch];
    expect(await limited.webhooks.create({ url, officeIds })).toMatchObject({ officeIds: [branch, main] });
  });

  it('that are not the caller’s are rejected as those that do not exist, and everything as a missing right', async () => {
    const { main, other } = scene.offices;
    const created = await limited.webhooks.create({ url });
    for (const id of [other, randomUUID()]) {
      const officeIds = [main, id];
      for (const call of [
        () => limited.webhooks.create({ url, officeIds }),
        () => limited.webhooks.update({ id: created.id, officeIds }),
      ]) {
        const error = await rejected(call());
        expect(error).toMatchObject({ errorCode: 'reference_not_found', status: 422 });
        expect(fieldErrorsOf(error)).toEqual(['#/officeIds/1 not_found']);
      }
    }
    expect(await codeOf(limited.webhooks.create({ url, officeIds: null }))).toBe('insufficient_scope');
    expect(await codeOf(limited.webhooks.update({ id: created.id, officeIds: null }))).toBe(
      'insufficient_scope',
    );
    expect(await limited.webhooks.get({ id: created.id })).toMatchObject({ officeIds: [main] });
  });

  it('can be changed by the caller who has all of them', async () => {
    const { id } = await limited.webhooks.create({ url });
    const officeIds = [scene.offices.branch];
    expect(await limited.webhooks.update({ id, officeIds })).toMatchObject({ officeIds });
    expect(await limited.webhooks.update({ id, url: `${url}/2` })).toMatchObject({ officeIds });
    expect(await scene.all.webhooks.update({ id, officeIds: null })).toMatchObject({ officeIds: null });
    expect(await codeOf(limited.webhooks.get({ id }))).toBe('not_found');
  });

  it('that were deleted leave the webhook to those to whom they were granted', async () => {
    const { id: office } = await scene.all.offices.create({ name: 'Closing' });
    const closing = await scene.limited([office]);
    const { id } = await closing.webhooks.create({ url });
    await scene.all.offices.delete({ id: office });
    const afterwards = await scene.limited([office]);
    expect(await afterwards.webhooks.get({ id })).toMatchObject({ officeIds: [office] });
    await afterwards.webhooks.delete({ id });
  });
});

describe('a webhook that has an office which the caller has not', () => {
  it('does not exist for the caller', async () => {
    const { main, other } = scene.offices;
    for (const officeIds of [null, [other], [main, other]]) {
      const { id } = await scene.all.webhooks.create({ url, officeIds });
      for (const call of [
        () => limited.webhooks.get({ id }),
        () => limited.webhooks.update({ id, description: 'x' }),
        () => limited.webhooks.rotate({ id }),
        () => limited.webhooks.test({ id }),
        () => limited.webhooks.replay({ id, after: '0' }),
        () => limited.webhooks.deliveries({ id }),
        () => limited.webhooks.delete({ id }),
      ]) {
        const error = await rejected(call());
        expect(error).toMatchObject({ errorCode: 'not_found', message: `No webhook has the ID ${id}.` });
      }
    }
  });
});

/** The subjects of the deliveries that a webhook gets from the start of the log, each once. */
async function delivered(id: string): Promise<Set<string>> {
  await scene.settle();
  while ((await enqueueDeliveries(scene.db, { backlogMax: 10_000 })) > 0);
  const { rows } = await sql<{ subject: string }>`
    select distinct subject_id as subject from webhook_delivery where webhook_id = ${id}`.execute(scene.db);
  return new Set(rows.map(({ subject }) => subject));
}

describe('the fan-out', () => {
  it('makes deliveries of the records of the offices and their branches alone', async () => {
    const { offices, agents } = scene;
    const { id } = await limited.webhooks.create({ url, after: '0' });
    const subjects = await delivered(id);
    expect(subjects).toEqual(new Set([offices.main, offices.branch, agents.main, agents.branch]));
  });

  it('delivers that an agent arrives and leaves, and nothing after', async () => {
    const { offices } = scene;
    const agent = await scene.newAgent(offices.other, 'Moving');
    const { id } = await limited.webhooks.create({ url, after: '0' });
    await scene.all.agents.transfer({ id: agent, officeId: offices.branch });
    await scene.all.agents.update({ id: agent, title: 'Broker' });
    await scene.all.agents.transfer({ id: agent, officeId: offices.other });
    await scene.all.agents.update({ id: agent, title: null });
    await delivered(id);
    const { rows } = await sql<{ type: string }>`
      select type from webhook_delivery where webhook_id = ${id} and subject_id = ${agent} order by seq`.execute(
      scene.db,
    );
    expect(rows.map(({ type }) => type)).toEqual(['agent.transferred', 'agent.updated', 'agent.transferred']);
  });

  it('follows the tree of the offices: a branch counts from the next pass, and one that left no longer', async () => {
    const { offices } = scene;
    const { id: moving } = await scene.all.offices.create({ name: 'Braga' });
    const agent = await scene.newAgent(moving, 'Braga');
    const { id } = await limited.webhooks.create({ url });
    const title = async (value: string) => {
      await scene.all.agents.update({ id: agent, title: value });
      await scene.settle();
      return (await delivered(id)).has(agent);
    };
    expect(await title('1')).toBe(false);
    await scene.all.offices.update({ id: moving, mainOfficeId: offices.branch });
    expect(await title('2')).toBe(true);
    await sql`delete from webhook_delivery`.execute(scene.db);
    await scene.all.offices.update({ id: moving, mainOfficeId: null });
    expect(await title('3')).toBe(false);
    // That the office left is the last that is delivered of it.
    expect(await delivered(id)).toEqual(new Set([moving]));
  });

  it('delivers that an office was deleted', async () => {
    const { id: closing } = await scene.all.offices.create({ name: 'B', mainOfficeId: scene.offices.main });
    const { id } = await limited.webhooks.create({ url });
    await scene.all.offices.delete({ id: closing });
    expect(await delivered(id)).toEqual(new Set([closing]));
  });

  it('is repeated by a replay for the offices that the webhook has by then', async () => {
    const { offices, agents } = scene;
    const { id } = await limited.webhooks.create({ url, after: '0', types: ['agent.created'] });
    expect(await delivered(id)).toContain(agents.main);
    await sql`delete from webhook_delivery`.execute(scene.db);
    await limited.webhooks.update({ id, officeIds: [offices.branch] });
    await limited.webhooks.replay({ id, after: '0' });
    expect(await delivered(id)).toEqual(new Set([agents.branch]));
  });
});

describe('a delivery', () => {
  it('is not sent if its event is of an office that the webhook no longer has', async () => {
    const { offices, agents, db } = scene;
    const { rows } = await sql<{ position: number }>`
      select position::float8 as position from event
      where subject_id = ${agents.main} and type = 'agent.created'`.execute(db);
    const position = rows[0]?.position ?? 0;
    const payload = async (officeIds: string[] | null) =>
      (await loadPayloads(db, [{ id: '1', position, officeIds }])).get('1');
    expect(await payload(null)).toMatchObject({ messageId: `evt_${position}` });
    expect(await payload([offices.main])).toMatchObject({ messageId: `evt_${position}` });
    expect(await payload([offices.branch])).toBeUndefined();
  });

  it('from before the webhook was limited is not listed for a limited caller', async () => {
    const { agents } = scene;
    const { id } = await scene.all.webhooks.create({ url, after: '0', types: ['agent.created'] });
    await delivered(id);
    await scene.all.webhooks.update({ id, officeIds: [scene.offices.branch] });
    const subjects = async ({ webhooks }: Caller) =>
      (await webhooks.deliveries({ id, limit: 200 })).items.map(({ subject }) => subject);
    expect(await subjects(scene.all)).toContain(agents.other);
    expect(await subjects(limited)).not.toContain(agents.other);
    expect(await subjects(limited)).toContain(agents.main);
  });
});

describe('webhooks are managed', () => {
  it('by people with the role of a manager or a higher one', async () => {
    const { main } = scene.offices;
    for (const role of ['viewer', 'editor'] as const) {
      const person = await scene.person(role);
      expect(await codeOf(person.webhooks.list({}))).toBe('insufficient_scope');
      expect(await codeOf(person.webhooks.create({ url }))).toBe('insufficient_scope');
    }
    const manager = await scene.person('manager', [main]);
    expect(await manager.webhooks.create({ url })).toMatchObject({ officeIds: [main] });
    expect(await (await scene.person('admin')).webhooks.create({ url })).toMatchObject({ officeIds: null });
  });

  it('in lists that have those of the caller alone', async () => {
    const own = await limited.webhooks.create({ url });
    await scene.all.webhooks.create({ url });
    await scene.all.webhooks.create({ url, officeIds: [scene.offices.main, scene.offices.other] });
    const page = await limited.webhooks.list({});
    expect(page).toMatchObject({ items: [{ id: own.id }] });
    expect(await scene.all.webhooks.list({ limit: 200 })).toMatchObject({ items: [{}, {}, {}] });
  });
});
