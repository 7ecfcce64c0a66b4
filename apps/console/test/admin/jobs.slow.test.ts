import type { Job } from '@roster/client';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  activate,
  chooseOption,
  expectAccessible,
  hasBrowser,
  seedAgents,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('jobs', () => {
  const scene = useConsole();

  async function start(mlsId: string, expectedCount: number, change: object): Promise<Job> {
    const body = { filter: { mlsId }, change, expectedCount, reason: 'A test' };
    return (await (await scene.server.request('POST', '/agents/bulk', body)).json()) as Job;
  }

  it('that are cancelled stop after the batch in progress, say what they did not try, and are undone', async () => {
    const ids = await seedAgents(scene.server, 1_500, { mlsId: 'CANCEL' });
    const locked = ids.toSorted().at(700) ?? '';
    await using opened = await scene.open('/jobs', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    await page.getByText('No jobs yet.').waitFor();
    await expectAccessible(page);
    // Someone else holds a record of the second batch, so that the job waits in the middle.
    await scene.server.database.db.transaction().execute(async (trx) => {
      // For as long as the page takes on a slow machine.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
      await trx.selectFrom('agent').select('id').where('id', '=', locked).forUpdate().execute();
      const job = await start('CANCEL', 1_500, { type: 'deactivate' });
      await page.goto(`${scene.server.url}/console/jobs/${job.id}`);
      await page.getByText('500 of 1,500 records').waitFor();
      await expectAccessible(page);
      await activate(page, page.getByRole('button', { name: 'Cancel' }));
      await page.getByText('Cancelled').waitFor();
    });
    await page.getByText('Not tried').waitFor();
    await expectAccessible(page);
    await activate(page, page.getByRole('button', { name: 'Undo all' }));
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Undo all' }));
    await page.getByRole('heading', { name: 'Undo of a bulk change' }).waitFor();
    await page.getByText('Completed').waitFor();
    const response = await scene.server.request(
      'GET',
      '/agents?mlsId=CANCEL&status=inactive&includeTotal=true',
    );
    expect(((await response.json()) as { total: number }).total).toBe(0);
  });

  it('are listed by status and records, as their address says', async () => {
    await seedAgents(scene.server, 2, { mlsId: 'LISTED' });
    await start('LISTED', 2, { type: 'update', patch: { title: 'Broker' } });
    await using opened = await scene.open('/jobs?resource=agents', { as: 'manager' });
    const { page } = opened;
    const link = page.getByRole('link', { name: 'Change 2 agents' });
    await link.waitFor();
    await chooseOption(page.getByRole('combobox', { name: 'Status' }), 'Failed');
    await page.getByText('No jobs yet.').waitFor();
    await page.waitForURL(/resource=agents&status=failed|status=failed&resource=agents/);
    await chooseOption(page.getByRole('combobox', { name: 'Status' }), 'Completed');
    await link.waitFor();
    await expectAccessible(page);
    await link.click();
    await page.getByText('Job title → Broker').waitFor();
    await page.getByText('MLS number: LISTED').waitFor();
    await page.getByText('A test').waitFor();
  });

  it('say what an undo would do before it is done, and list afterwards what it could not put back', async () => {
    const [first = '', second = ''] = await seedAgents(scene.server, 2, { mlsId: 'SINCE' });
    const patch = { title: 'Broker', address: { city: 'Porto' } };
    const job = await start('SINCE', 2, { type: 'update', patch });
    await using opened = await scene.open(`/jobs/${job.id}`, { as: 'manager' });
    const { page } = opened;
    await page.getByText('Completed').waitFor();
    await scene.server.request('PATCH', `/agents/${first}`, { title: 'Mine' });
    await scene.server.request('PATCH', `/agents/${second}`, { bio: 'Sells houses' });
    await page.getByRole('button', { name: 'Undo all' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('2 of 2 records will be restored. 1 of them only partly').waitFor();
    await dialog.getByText('1 record keeps fields that have since changed').waitFor();
    await dialog.getByText(/: Job title: now Mine$/).waitFor();
    expect(await dialog.getByRole('link').getAttribute('href')).toBe(`/console/agents/${first}`);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('heading', { name: "Changes that couldn't be undone" }).waitFor();
    await expectAccessible(page);
    expect(await page.getByRole('table').getByRole('link').getAttribute('href')).toBe(
      `/console/agents/${first}`,
    );
    await page.getByRole('cell', { name: /^Job title: now Mine$/ }).waitFor();
    await page.getByText('Partially').waitFor();
    expect(await page.getByText('version_conflict').count()).toBe(0);
  });

  it('offer no undo of what has all changed since, and name no record that would change', async () => {
    const ids = await seedAgents(scene.server, 2, { mlsId: 'ALL' });
    const job = await start('ALL', 2, { type: 'update', patch: { title: 'Broker' } });
    await using opened = await scene.open(`/jobs/${job.id}`, { as: 'manager' });
    const { page } = opened;
    await page.getByText('Completed').waitFor();
    for (const id of ids) await scene.server.request('PATCH', `/agents/${id}`, { title: 'Mine' });
    await page.getByRole('button', { name: 'Undo all' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No record can be restored.').waitFor();
    await dialog.getByText('2 records keep fields that have since changed').waitFor();
    expect(await dialog.getByText('What will change').count()).toBe(0);
    expect(await dialog.getByRole('button', { name: 'Undo all' }).count()).toBe(0);
    await expectAccessible(page);
    await dialog.getByText('Close', { exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('that were undone say so at once, in their list too, and are not offered to be undone again', async () => {
    await seedAgents(scene.server, 2, { mlsId: 'TWICE' });
    const job = await start('TWICE', 2, { type: 'deactivate' });
    await using opened = await scene.open(`/jobs/${job.id}`, { as: 'manager' });
    const { page } = opened;
    const undo = page.getByRole('button', { name: 'Undo all' });
    await page.getByText('Completed').waitFor();
    await page.getByText('Deactivated', { exact: true }).waitFor();
    await undo.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('heading', { name: 'Undo of a bulk change of 2 agents' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Deactivate 2 agents' }).waitFor();
    await page.getByText('Undone by').waitFor();
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await undo.count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All jobs' }).click();
    const row = page.getByRole('row', { name: 'Deactivate 2 agents' });
    await row.getByText('Undone', { exact: true }).waitFor();
    await row.getByText('2 deactivated, 0 failed').waitFor();
  });

  it('that there are not, or not for the caller, say so', async () => {
    await using opened = await scene.open(`/jobs/${crypto.randomUUID()}`, { as: 'manager' });
    opened.faults.expect(/status of 404/);
    await opened.page.getByRole('alert').filter({ hasText: 'job' }).waitFor();
    await expectAccessible(opened.page);
  });
});
