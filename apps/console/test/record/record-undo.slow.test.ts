import { describe, expect, it } from 'vitest';
import { changeRecord, createAgent, createRecord, readRecord } from '../support/directory.ts';
import { expectAccessible, hasBrowser, useConsole } from '../support/index.ts';

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('a record', () => {
  const scene = useConsole();

  it('of an office is deactivated with its agents: their number is said before and after, and undo says what it would do and brings these back', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Closing Lisboa' });
    const elsewhere = await createRecord(server, 'offices', { name: 'Open Lisboa' });
    const inOffice = { officeId: office.id };
    const [first, changed, resting] = await Promise.all(
      ['Closing', 'Changing', 'Sleeping'].map((name) => createAgent(server, name, inOffice)),
    );
    const affiliations = [inOffice];
    const affiliated = await createAgent(server, 'Elsewhere', { affiliations });
    await server.request('PUT', `/agents/${resting?.id}/deactivate`, {});
    const statusOf = async (id = '') => (await readRecord(server, 'agents', id)).status;
    await using opened = await scene.open(`/offices/${office.id}`, { as: 'editor' });
    const { page } = opened;
    const deactivate = async () => {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Deactivate …' }).click();
      await page
        .getByText('The office has 2 active agents. 1 other agent is affiliated with the office.')
        .waitFor();
      await page.getByRole('checkbox', { name: 'Deactivate its active agents too' }).check();
      await page.getByText('This deactivates these agents and ends their affiliations.').waitFor();
      await expectAccessible(page, panel);
      await page.getByRole('button', { name: 'Deactivate office and 2 agents', exact: true }).click();
      await page.getByText('Closing Lisboa and 2 agents were deactivated; 1 affiliation ended').waitFor();
    };
    const undo = async () => {
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      return page.getByRole('dialog', { name: 'Undo the deactivation of Closing Lisboa?' });
    };
    await deactivate();
    expect(await Promise.all([first, changed, resting].map((one) => statusOf(one?.id)))).toEqual(
      Array(3).fill('inactive'),
    );
    const asked = await undo();
    await asked.getByText('All 3 records will be restored.').waitFor();
    await asked.getByText('Ana Closing').waitFor();
    await expectAccessible(page, '[role=dialog]');
    expect((await readRecord(server, 'offices', office.id)).status).toBe('inactive');
    await asked.getByRole('button', { name: 'Undo all' }).click();
    await page.getByText('Office reactivated, 2 agents and 1 affiliation restored').waitFor();
    expect(await Promise.all([first, changed, resting].map((one) => statusOf(one?.id)))).toEqual([
      'active',
      'active',
      'inactive',
    ]);
    expect(await readRecord(server, 'agents', affiliated.id)).toMatchObject({ affiliations });
    expect((await readRecord(server, 'offices', office.id)).status).toBe('active');

    await deactivate();
    await changeRecord(server, `/agents/${first?.id}`, { fields: { title: 'Broker' } });
    await server.request('PUT', `/agents/${changed?.id}/transfer`, { officeId: elsewhere.id });
    await changeRecord(server, `/offices/${office.id}`, { fields: { phone: '+351210000042' } });
    const again = await undo();
    await again.getByText('2 of 3 records will be restored.').waitFor();
    await again.getByText('1 record keeps fields that have since changed').waitFor();
    await again.getByText(/^Ana Changing: Office: now Open Lisboa$/).waitFor();
    await again.getByRole('button', { name: 'Undo all' }).click();
    const left = page.getByRole('status').filter({ hasText: "1 agent couldn't be restored." });
    await left.getByText('1 agent and 1 affiliation restored.').waitFor();
    await left.getByRole('listitem').getByRole('link', { name: 'Ana Changing' }).waitFor();
    await left.getByText('changed since: Office').waitFor();
    await expectAccessible(page);
    expect(await left.getByText('Undone').count()).toBe(0);
    expect([await statusOf(first?.id), await statusOf(changed?.id)]).toEqual(['active', 'inactive']);
  });

  it('of an office is reactivated later, with the agents that were deactivated with it', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Reopening Porto' });
    const agent = await createAgent(server, 'Reopening', { officeId: office.id });
    await server.request('PUT', `/offices/${office.id}/deactivate`, { cascade: true });
    await using opened = await scene.open(`/offices/${office.id}`, { as: 'editor' });
    const { page } = opened;
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Reactivate …' }).click();
    await page
      .getByRole('checkbox', { name: 'Restore the agents that were deactivated with the office' })
      .check();
    await page.getByRole('dialog').getByText('1 record will be restored.').waitFor();
    await page.getByRole('dialog').getByText('Reopening').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Reactivate', exact: true }).click();
    await page.getByText('Office reactivated, 1 agent restored').waitFor();
    expect((await readRecord(server, 'agents', agent.id)).status).toBe('active');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  it('that was deleted with a scheduled change says that this does not come back with it', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Planned');
    await server.request('PUT', `/agents/${agent.id}/deactivate`, { effectiveOn: '2035-07-01' });
    await using opened = await scene.open(`/agents/${agent.id}`);
    const { page, faults } = opened;
    faults.expect(/status of 404/);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await page.getByText("1 scheduled change will be cancelled and can't be restored.").waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Ana Planned was restored. 1 scheduled change stays cancelled.').waitFor();
    expect(await page.getByText('Undone').count()).toBe(0);
    expect((await readRecord(server, 'agents', agent.id)).scheduledChanges).toEqual([]);
  });
});
