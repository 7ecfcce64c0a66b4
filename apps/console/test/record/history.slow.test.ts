import { describe, expect, it } from 'vitest';
import { changeRecord, createAgent, createRecord, readRecord } from '../support/directory.ts';
import { openChanges } from '../support/history.ts';
import { activate, expectAccessible, hasBrowser, press, tabTo, useConsole } from '../support/index.ts';

/** The frame of a record, with its dialogs; the list beside it has tests of its own. */
const panel = '[aria-labelledby="panel-title"]';

describe.skipIf(!hasBrowser)('the history of a record', () => {
  const scene = useConsole();

  it('says who changed what, when and why', async () => {
    const { server } = scene;
    const rui = await scene.person('editor', undefined, 'Rui Costa');
    const office = await createRecord(server, 'offices', { name: 'History Lisboa' });
    const agent = await createAgent(server, 'Timeline', { phone: '+351210000001' });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { phone: '+351210000002' }, by: rui });
    const moved = { officeId: office.id, reason: 'Joins the team' };
    await server.request('PUT', `/agents/${agent.id}/transfer`, moved);
    await using opened = await scene.open(`/agents/${agent.id}/history`);
    const { page } = opened;
    await openChanges(page);
    const change = page.getByRole('listitem').filter({ has: page.getByText('Version 2', { exact: true }) });
    await change.getByText('Rui Costa').first().waitFor();
    await expect.poll(() => change.locator('del').textContent()).toBe('+351 21 000 0001');
    await expect.poll(() => change.locator('ins').textContent()).toBe('+351 21 000 0002');
    await page.getByText('“Joins the team”').waitFor();
    await page.getByRole('link', { name: 'History Lisboa' }).first().waitFor();
    await expectAccessible(page, panel);
  });

  it('takes back one field of a change after a preview, and that can be undone, without a mouse', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Revert', { phone: '+351210000001', title: 'A' });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { phone: '+351210000002', title: 'B' } });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { nickname: 'Nana' } });
    await using opened = await scene.open(`/agents/${agent.id}/history`, {
      as: 'editor',
      isKeyboardOnly: true,
    });
    const { page } = opened;
    const undo = page.getByRole('button', { name: 'Restore Version 2' });
    await activate(page, undo);
    const dialog = page.getByRole('dialog', { name: 'Undo this change' });
    await tabTo(page, dialog.getByRole('checkbox', { name: 'Job title' }));
    await press(page, 'Space');
    await expectAccessible(page, panel);
    await activate(page, dialog.getByRole('button', { name: 'Revert' }));
    await page.getByText('Reverted to version 1').waitFor();
    const after = { phone: '+351210000001', title: 'B', nickname: 'Nana', version: 4 };
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject(after);
    await activate(page, page.getByRole('button', { name: 'Undo', exact: true }));
    await page.getByText('Undone', { exact: true }).waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000002',
      title: 'B',
      version: 5,
    });
  });

  it('undoes a change but for what has changed since, and offers no undo if that is all', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Since', { phone: '+351210000001', title: 'A' });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { phone: '+351210000002', title: 'B' } });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { phone: '+351210000003' } });
    await using opened = await scene.open(`/agents/${agent.id}/history`, { as: 'editor' });
    const { page } = opened;
    const dialog = page.getByRole('dialog', { name: 'Undo this change' });
    const ask = () => page.getByRole('button', { name: 'Restore Version 2' }).click();
    await ask();
    await dialog.getByText("Kept because they've changed since:").waitFor();
    await dialog.getByRole('checkbox', { name: 'Job title' }).waitFor();
    expect(await dialog.getByRole('checkbox').count()).toBe(1);
    await expectAccessible(page, panel);
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await page.getByText('Reverted to version 1').waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000003',
      title: 'A',
    });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { title: 'C' } });
    await ask();
    await dialog.getByText('Nothing can be undone, because everything has changed since.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Revert' }).count()).toBe(0);
  });

  it('brings a whole version back', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Whole', { phone: '+351210000001' });
    await changeRecord(server, `/agents/${agent.id}`, { fields: { phone: '+351210000002', title: 'B' } });
    await using opened = await scene.open(`/agents/${agent.id}/history`);
    const { page } = opened;
    await openChanges(page);
    await page.getByRole('button', { name: 'Go back to version 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Go back to version 1' });
    await dialog.getByLabel('Reason').fill('A mistake');
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await page.getByText('Reverted to version 1').first().waitFor();
    await openChanges(page);
    await page.getByText('“A mistake”').waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      phone: '+351210000001',
      title: null,
      version: 3,
    });
  });

  it('shows a scheduled transfer and its day, and undo cancels it', async () => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: 'Casa Clara Minho' });
    const agent = await createAgent(server, 'Scheduled');
    const year = new Date().getFullYear() + 5;
    const effectiveAt = new Date(year, 0, 4).toISOString();
    const transfer = { officeId: office.id, effectiveAt };
    expect((await server.request('PUT', `/agents/${agent.id}/transfer`, transfer)).status).toBe(200);
    await using opened = await scene.open(`/agents/${agent.id}/history`, { as: 'manager' });
    const { page } = opened;
    await openChanges(page);
    const versionOf = (version: number) =>
      page.getByRole('listitem').filter({ has: page.getByText(`Version ${version}`, { exact: true }) });
    const scheduled = versionOf(2);
    await scheduled.getByText('Casa Clara Minho').first().waitFor();
    expect(await scheduled.locator('ins').textContent()).toBe(
      `Transfer to Casa Clara Minho on 4 Jan ${year}`,
    );
    await scheduled.getByRole('heading', { name: 'Change scheduled' }).waitFor();
    await expectAccessible(page, panel);
    await scheduled.getByRole('button', { name: /^Restore/ }).click();
    await page.getByText('Scheduled change cancelled').first().waitFor();
    await openChanges(page);
    const cancelled = versionOf(3);
    await cancelled.getByRole('heading', { name: 'Scheduled change cancelled' }).waitFor();
    // What is cancelled cannot be undone again, and nothing else of it can be reverted.
    expect(await page.getByRole('button', { name: /^Restore/ }).count()).toBe(0);
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({ scheduledChanges: [], version: 3 });
  });

  it('takes back a change of licences, from which the next one to end follows', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Licensed');
    const licenses = [{ number: 'CI-1', expiresOn: '2041-03-01' }];
    await changeRecord(server, `/agents/${agent.id}`, { fields: { licenses } });
    await using opened = await scene.open(`/agents/${agent.id}/history`, { as: 'editor' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Restore Version 2' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo this change' });
    await dialog.getByRole('button', { name: 'Revert' }).click();
    await page.getByText('Reverted to version 1').waitFor();
    expect(await readRecord(server, 'agents', agent.id)).toMatchObject({
      licenses: [],
      nextLicenseExpiresOn: null,
      version: 3,
    });
  });

  it('of a deleted record is there, with a way back', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Restored', { phone: '+351210000001' });
    await server.request('DELETE', `/agents/${agent.id}`);
    await using opened = await scene.open(`/agents/${agent.id}`, { as: 'editor' });
    const { page, faults } = opened;
    faults.expect(/status of 404/);
    await page.getByText('This record was deleted').waitFor();
    await expectAccessible(page, panel);
    await page.getByRole('heading', { name: 'Ana Restored' }).waitFor();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Ana Restored was restored').waitFor();
    expect((await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000001');
  });
});
