import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  press,
  seedAgents,
  seedOffices,
  tabTo,
  typeInto,
  useConsole,
} from '../support/index.ts';

/** Selects all that match in a list, and opens the dialog, without a pointer. */
async function changeAll(page: Page, count: number, button = 'Change fields'): Promise<void> {
  await page
    .getByRole('link', { name: /^[A-Z]/ })
    .first()
    .waitFor();
  await tabTo(page, page.getByRole('grid'));
  await press(page, 'Control+a');
  await page.getByText(`${count} selected`).waitFor();
  await activate(page, page.getByRole('button', { name: button, exact: true }));
  await page.getByRole('dialog').waitFor();
}

describe.skipIf(!hasBrowser)('many records at once', () => {
  const scene = useConsole();
  const agents = async (query: string) => {
    const response = await scene.server.request('GET', `/agents?limit=200&includeTotal=true&${query}`);
    return (await response.json()) as { total: number; items: Record<string, unknown>[] };
  };

  it('are changed and put back without a mouse: what, a preview, the number, the progress, one undo for all', async () => {
    await seedAgents(scene.server, 120, { mlsId: 'KEYS', title: 'Agent' });
    await using opened = await scene.open('/agents?mlsId=KEYS', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    await changeAll(page, 120);
    await expectAccessible(page, '[role=dialog]');
    await activate(page, page.getByRole('combobox', { name: 'Field to change' }));
    await page.getByRole('option', { name: 'Job title' }).waitFor();
    await page.keyboard.type('Job title');
    await press(page, 'Enter');
    await typeInto(page, page.getByRole('textbox', { name: 'Job title' }), 'Partner');
    await page.getByRole('dialog').getByText('MLS number: KEYS').waitFor();
    expect(await page.getByRole('dialog').locator('ins').allTextContents()).toEqual(Array(5).fill('Partner'));
    await expectAccessible(page, '[role=dialog]');
    await expectNarrow(page);
    await typeInto(page, page.getByRole('textbox', { name: 'Reason' }), 'Promoted');
    expect((await agents('q=Partner')).total).toBe(0);
    const confirm = page.getByRole('button', { name: 'Change 120 records' });
    expect(await confirm.isDisabled()).toBe(true);
    await typeInto(page, page.getByRole('textbox', { name: 'Type 120 to confirm' }), '120');
    await activate(page, confirm);

    await page.getByText('Completed').waitFor();
    await page.waitForURL(/\/console\/jobs\/[0-9a-f-]+$/);
    await expectAccessible(page);
    await expectNarrow(page);
    const { items } = await agents('mlsId=KEYS');
    expect(new Set(items.map(({ title }) => title))).toEqual(new Set(['Partner']));
    await activate(page, page.getByRole('button', { name: 'Undo all' }));
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Undo all' }));
    await page.getByRole('heading', { name: 'Undo of a bulk change of 120 agents' }).waitFor();
    await page.getByText('Completed').waitFor();
    const after = await agents('mlsId=KEYS');
    expect(new Set(after.items.map(({ title }) => title))).toEqual(new Set(['Agent']));
  });

  it('are asked for again with the new number, if another number matches by then; nothing is changed before', async () => {
    await seedAgents(scene.server, 3, { mlsId: 'COUNT' });
    await using opened = await scene.open('/agents?mlsId=COUNT', { as: 'manager' });
    const { page, faults } = opened;
    await changeAll(page, 3, 'Deactivate');
    expect(await page.getByRole('combobox', { name: 'Action' }).textContent()).toBe('Deactivate');
    await page.getByText('3 will be deactivated.').waitFor();
    await seedAgents(scene.server, 1, { mlsId: 'COUNT' });
    faults.expect(/status of 409/);
    await page.getByRole('button', { name: 'Deactivate 3 records' }).click();
    await page.getByText('the number of records has changed').waitFor();
    await page.getByText('The list showed 3 records; 4 match now').waitFor();
    await expectAccessible(page, '[role=dialog]');
    expect((await agents('mlsId=COUNT&status=inactive')).total).toBe(0);
    await page.getByRole('button', { name: 'Deactivate 4 records' }).click();
    await page.getByText('Completed').waitFor();
    expect((await agents('mlsId=COUNT&status=inactive')).total).toBe(4);
  });

  it('that cannot be changed are said before and afterwards, with links to them; a deletion asks for the number', async () => {
    const [first = '', second = ''] = await seedOffices(scene.server, 2, { mlsId: 'DELETE' });
    await seedAgents(scene.server, 1, { officeIds: [second] });
    await using opened = await scene.open('/offices?mlsId=DELETE', { as: 'manager' });
    const { page } = opened;
    await changeAll(page, 2);
    await chooseOption(page.getByRole('combobox', { name: 'Action' }), 'Delete');
    await page.getByText("1 record won't change, because of an error").waitFor();
    await page.getByText('1 will be deleted.').waitFor();
    await expectAccessible(page, '[role=dialog]');
    const action = page.getByRole('combobox', { name: 'Action' });
    const remove = page.getByRole('button', { name: 'Delete 2 records' });
    const number = page.getByRole('textbox', { name: 'Type 2 to confirm' });
    await number.fill('2');
    await expect.poll(() => remove.isEnabled()).toBe(true);
    // The number is typed for one change, and not for the next.
    await chooseOption(action, 'Deactivate');
    await page.getByText('2 will be deactivated.').waitFor();
    await chooseOption(action, 'Delete');
    await page.getByText('1 will be deleted.').waitFor();
    expect(await number.inputValue()).toBe('');
    expect(await remove.isDisabled()).toBe(true);
    await number.fill('2');
    await remove.click();
    await page.getByText('Completed with errors').waitFor();
    await page.getByText('Deleted', { exact: true }).waitFor();
    expect(await page.getByText('Already had these values').count()).toBe(0);
    const table = page.getByRole('table');
    await table.getByRole('link', { name: 'Office 000002' }).waitFor();
    expect(await table.getByRole('link').getAttribute('href')).toBe(`/console/offices/${second}`);
    await expectAccessible(page);
    expect((await scene.server.request('GET', `/offices/${first}`)).status).toBe(404);
  });

  it('are previewed again by a button after a preview could not be read', async () => {
    await seedAgents(scene.server, 2, { mlsId: 'AWAY' });
    await using opened = await scene.open('/agents?mlsId=AWAY', { as: 'manager' });
    const { page, faults } = opened;
    faults.expect(/ERR_FAILED/);
    await page.route(/agents\.bulk/, (route) => route.abort());
    await changeAll(page, 2, 'Deactivate');
    const dialog = page.getByRole('dialog');
    const retry = dialog.getByRole('button', { name: 'Retry' });
    await retry.waitFor();
    await page.unroute(/agents\.bulk/);
    await retry.click();
    await dialog.getByText('2 will be deactivated.').waitFor();
    expect((await agents('mlsId=AWAY&status=inactive')).total).toBe(0);
  });

  it('keep what was typed when the dialog is closed or the page is loaded again', async () => {
    await seedAgents(scene.server, 2, { mlsId: 'DRAFT' });
    await using opened = await scene.open('/agents?mlsId=DRAFT', { as: 'manager' });
    const { page } = opened;
    await changeAll(page, 2);
    await chooseOption(page.getByRole('combobox', { name: 'Field to change' }), 'Job title');
    await page.getByRole('textbox', { name: 'Job title' }).fill('Typed');
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.reload();
    // What is done with it is chosen each time: a deletion does not come back.
    await changeAll(page, 2);
    await chooseOption(page.getByRole('combobox', { name: 'Action' }), 'Delete');
    await press(page, 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change fields', exact: true }).click();
    expect(await page.getByRole('combobox', { name: 'Action' }).textContent()).toBe('Change fields');
    expect(await page.getByRole('textbox', { name: 'Job title' }).inputValue()).toBe('Typed');
  });

  it('are not offered to who may change single records alone, and the list says so', async () => {
    await seedAgents(scene.server, 2, { mlsId: 'EDITOR' });
    await using opened = await scene.open('/agents?mlsId=EDITOR', { as: 'editor' });
    const { page } = opened;
    const box = page.getByRole('grid').getByRole('checkbox').nth(1);
    await box.click();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByText("You can't change many records at once.").waitFor();
    expect(await bar.getByRole('button').count()).toBe(1);
    await tabTo(page, page.getByRole('grid'));
    await press(page, 'Control+a');
    await page.getByText('2 selected').waitFor();
    expect(await bar.getByRole('button').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'Imports' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Jobs' }).count()).toBe(0);
  });
});
