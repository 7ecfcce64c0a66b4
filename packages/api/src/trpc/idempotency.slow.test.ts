import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../test/support/office-scene.ts';
import { rejected } from '../../test/support/rejected.ts';

let scene: OfficeScene;
beforeEach(async () => {
  scene = await officeScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

let count = 0;
/** Calls again and again with one Idempotency-Key, each time as who has these offices by then. */
function repeated<Result>(call: (caller: Caller) => Promise<Result>) {
  count += 1;
  const key = `once-${count}`;
  const request = { idempotencyKey: () => key };
  return {
    limited: async (officeIds: string[] = [scene.offices.main]) =>
      call(await scene.limited(officeIds, { request })),
    all: async () => call(await scene.limited([scene.offices.main, scene.offices.other], { request })),
  };
}

const names = { firstName: 'Eva', lastName: 'Reis' };
const isGone = async (call: Promise<unknown>) =>
  expect(await rejected(call)).toMatchObject({ errorCode: 'not_found', status: 404 });

describe('a stored response', () => {
  it('is repeated to a limited caller while its record is within', async () => {
    const { offices } = scene;
    const create = repeated(({ agents }) => agents.create({ ...names, officeId: offices.main }));
    const agent = await create.limited();
    expect(await create.limited()).toEqual(agent);
    expect(await create.limited([offices.main, offices.other])).toEqual(agent);
  });

  it('is not found by a limited caller when its record has left, and is again when it is back', async () => {
    const { offices } = scene;
    const create = repeated(({ agents }) => agents.create({ ...names, officeId: offices.main }));
    const agent = await create.limited();
    await scene.all.agents.transfer({ id: agent.id, officeId: offices.other });
    await isGone(create.limited());
    await scene.all.agents.transfer({ id: agent.id, officeId: offices.branch });
    expect(await create.limited()).toEqual(agent);
    await scene.all.agents.delete({ id: agent.id });
    await isGone(create.limited());
  });

  it('is not found when the caller has been limited to other offices, or the tree has changed', async () => {
    const { offices } = scene;
    const update = repeated(({ offices: { update } }) => update({ id: offices.branch, phoneExt: '1' }));
    const office = await update.limited();
    await isGone(update.limited([offices.other]));
    expect(await update.limited()).toEqual(office);
    await scene.all.offices.update({ id: offices.branch, mainOfficeId: offices.other });
    await isGone(update.limited());
  });

  it('is not found if it shows an agent in an office that is not within, who came back since', async () => {
    const { offices, agents: ids } = scene;
    const update = repeated(({ agents }) => agents.update({ id: ids.other, title: 'Broker' }));
    await update.all();
    await scene.all.agents.transfer({ id: ids.other, officeId: offices.main });
    await isGone(update.limited());
  });

  it('of an import is not found when one of its records has left', async () => {
    const { offices } = scene;
    const records = [
      { ...names, officeId: offices.main },
      { ...names, officeId: offices.branch },
    ];
    const imports = repeated((caller) => caller.imports.agents({ records }));
    const response = await imports.limited();
    expect(await imports.limited()).toEqual(response);
    await scene.all.agents.transfer({ id: response.results[1]?.id ?? '', officeId: offices.other });
    await isGone(imports.limited());
  });

  it('of a change of many records is not found without the offices of the job', async () => {
    const { offices } = scene;
    const change = { type: 'deactivate' as const };
    const filter = { all: true as const };
    const bulk = repeated(({ agents }) => agents.bulk({ filter, change, expectedCount: 2 }));
    const job = await bulk.limited();
    expect(await bulk.limited()).toEqual(job);
    expect(await bulk.all()).toEqual(job);
    await isGone(bulk.limited([offices.branch]));
    const dryRun = repeated(({ agents }) => agents.bulk({ filter, change, dryRun: true }));
    expect(await dryRun.all()).toMatchObject({ count: 3 });
    await isGone(dryRun.limited());
  });

  it('of a webhook is not found by a caller who has not all of its offices', async () => {
    const { main, other } = scene.offices;
    const { id } = await scene.all.webhooks.create({ url: 'https://hooks.example.com/' });
    await scene.all.webhooks.update({ id, officeIds: [main] });
    const update = repeated(({ webhooks }) => webhooks.update({ id, description: 'x' }));
    const webhook = await update.limited();
    expect(await update.limited()).toEqual(webhook);
    await scene.all.webhooks.update({ id, officeIds: [main, other] });
    await isGone(update.limited());
  });
});
