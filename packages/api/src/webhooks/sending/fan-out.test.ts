import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Caller, callerIn } from '../../../test/support/caller.ts';
import { type OfficeScene, officeScene } from '../../../test/support/office-scene.ts';
import { enqueueDeliveries } from './fan-out.ts';

const url = 'https://hooks.example.com/roster';

let scene: OfficeScene;
beforeEach(async () => {
  scene = await officeScene();
});
afterEach(() => scene[Symbol.asyncDispose]());

/** The subjects of the deliveries of a webhook, in order, when all events have positions. */
async function delivered(webhookId: string): Promise<string[]> {
  while ((await scene.settle()) > 0);
  while ((await enqueueDeliveries(scene.db, { backlogMax: 10_000 })) > 0);
  const { rows } = await sql<{ subject: string }>`
    select subject_id as subject from webhook_delivery where webhook_id = ${webhookId} order by seq`.execute(
    scene.db,
  );
  return rows.map(({ subject }) => subject);
}

const office = async ({ offices }: Caller, name: string) => (await offices.create({ name })).id;

describe('a new webhook', () => {
  it('receives no event of a change that was complete when it was created, although the event had no position', async () => {
    await office(scene.all, 'Before');
    const { id } = await scene.all.webhooks.create({ url });
    const after = await office(scene.all, 'After');
    expect(await delivered(id)).toEqual([after]);
  });

  it('receives no event of earlier changes, however many have no position', async () => {
    await sql`
      insert into event (type, subject_id, version, occurred_at, record)
      select 'office.updated', gen_random_uuid(), 2, now(), '{}' from generate_series(1, 2500)`.execute(
      scene.db,
    );
    const { id } = await scene.all.webhooks.create({ url });
    expect(await delivered(id)).toEqual([]);
  });

  it('receives the event of a change that was not complete yet', async () => {
    const during = await scene.db.transaction().execute(async (trx) => {
      const changed = await office(callerIn(trx), 'During');
      return { changed, webhook: await scene.all.webhooks.create({ url }) };
    });
    expect(await delivered(during.webhook.id)).toEqual([during.changed]);
  });

  it('starts after the position that it names, for which events without one come later', async () => {
    await scene.settle();
    const { readTo } = await scene.all.webhooks.create({ url });
    const before = await office(scene.all, 'Before');
    const { id } = await scene.all.webhooks.create({ url, after: String(readTo) });
    expect(await delivered(id)).toEqual([before]);
  });
});
