import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { readWorkbook } from '@roster/import/workbook';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAgent, createRecord } from '../support/directory.ts';
import {
  activate,
  chooseOption,
  expectAccessible,
  focused,
  hasBrowser,
  press,
  seedAgents,
  seedOffices,
  typeInto,
  useConsole,
} from '../support/index.ts';

const rows = (page: Page) => page.locator('[role=row][data-index]');
const parameters = (page: Page) => new URL(page.url()).searchParams;
/** The day that many from today, in UTC as the service counts. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const heading = (page: Page, text: string) => page.getByRole('heading', { name: text, exact: true });

describe.skipIf(!hasBrowser)('the tools of the list', () => {
  let officeIds: string[] = [];
  let agentIds: string[] = [];
  const scene = useConsole({
    seed: async (server) => {
      officeIds = await seedOffices(server, 12);
      agentIds = await seedAgents(server, 120, { officeIds });
      await seedAgents(server, 1, { lastName: '=1+1', email: null, phone: '+351210000001' });
    },
  });

  const openTool = async (page: Page, menu: string, item: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByRole('dialog').waitFor();
  };

  it('get what is typed before they are loaded, and no shortcut does', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    await rows(page).first().waitFor();
    const loaded = Promise.withResolvers<void>();
    await page.route(/menu-popup/, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    const menu = page.getByRole('button', { name: 'Add a filter', exact: true });
    await menu.click();
    // `n` would open a new agent.
    await press(page, ...'system ');
    expect(await menu.getAttribute('aria-expanded')).toBe('true');
    expect(new URL(page.url()).pathname).toMatch(/agents$/);
    loaded.resolve();
    const menuItems = page.getByRole('menu').getByRole('menuitem');
    await expect
      .poll(() => menuItems.allTextContents())
      .toEqual(['Other system', 'ID in the other system', 'Record in another system']);
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('button "Add a filter"');
  });

  it('filter by a choice, a text, a day, a time, an office and an empty field, all in the URL', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    const popover = page.getByRole('dialog');
    const close = async () => {
      await press(page, 'Escape');
      await popover.waitFor({ state: 'detached' });
    };
    await openTool(page, 'Add a filter', 'Status');
    await expectAccessible(page);
    await popover.getByLabel('Active', { exact: true }).check();
    await close();
    await openTool(page, 'Add a filter', 'Licence number');
    await popover.getByRole('textbox').fill('AMI-000003\n AMI-000002 \n\nAMI-000003');
    await popover.getByText('2 agents').waitFor();
    await close();
    await heading(page, 'Agents 2').waitFor();
    expect(parameters(page).getAll('licenseNumber')).toEqual(['AMI-000003', 'AMI-000002']);
    await page.getByRole('button', { name: 'Licence number is AMI-000003 or AMI-000002' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Licence number' }).click();
    await openTool(page, 'Add a filter', 'Licence expires');
    await chooseOption(popover.getByLabel('Operator'), 'between');
    await popover.getByLabel('Licence expires before').fill('2040-01-31');
    await expect.poll(() => parameters(page).get('licenseExpiresBefore')).toBe('2040-01-31');
    await close();
    await openTool(page, 'Add a filter', 'Created');
    await chooseOption(popover.getByLabel('Operator'), 'between');
    await popover.getByLabel('Created since').fill('3/2/2020');
    await expect
      .poll(() => Date.parse(parameters(page).get('createdSince') ?? ''))
      .toBe(new Date(2020, 1, 3).getTime());
    await close();
    await openTool(page, 'Add a filter', 'Office');
    await popover.getByRole('combobox', { name: 'Add an office' }).fill('Office 000003');
    await page.getByRole('option', { name: /Office 000003/ }).click();
    await popover.getByText('Office 000003').first().waitFor();
    await heading(page, 'Agents 10').waitFor();
    expect(parameters(page).get('officeId')).toBe(officeIds[2]);
    await close();
    await page.getByRole('button', { name: 'Clear', exact: true }).click();
    await heading(page, 'Agents 121').waitFor();
    await openTool(page, 'Add a filter', 'Email');
    await chooseOption(popover.getByLabel('Operator'), "isn't set");
    await heading(page, 'Agents 1').waitFor();
    expect(parameters(page).get('empty')).toBe('email');
    await close();
    await expectAccessible(page);
  });

  it('say which filter to drop if nothing matches, and how many then do', async () => {
    await using opened = await scene.open(`/agents?officeId=${officeIds[2]}&licenseNumber=AMI-000005`);
    const { page } = opened;
    await page.getByRole('heading', { name: 'No agents match. Drop a filter:' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Licence number.*10 agents$/ }).waitFor();
    await page.getByRole('button', { name: /^Office.*1 agent$/ }).click();
    await heading(page, 'Agents 1').waitFor();
    expect(parameters(page).get('officeId')).toBeNull();
  });

  it('filter by the city, region and country of the address, in any letter case of the city', async () => {
    const lisboa = { city: 'Lisboa', region: '11', country: 'PT' };
    await scene.server.request('POST', '/offices', { name: 'Atlântico', address: lisboa });
    await using opened = await scene.open('/offices');
    const { page } = opened;
    const popover = page.getByRole('dialog');
    await openTool(page, 'Add a filter', 'City');
    await popover.getByRole('textbox').fill('lisboa');
    await heading(page, 'Offices 3').waitFor();
    await press(page, 'Escape');
    await openTool(page, 'Add a filter', 'Country');
    await popover.getByRole('searchbox').fill('portu');
    await popover.getByLabel('Portugal', { exact: true }).check();
    await press(page, 'Escape');
    await page.getByRole('button', { name: /^Country\s*is\s*Portugal/ }).waitFor();
    await openTool(page, 'Add a filter', 'Region');
    await popover.getByRole('searchbox').fill('lisb');
    await popover.getByLabel('Lisboa', { exact: true }).check();
    await heading(page, 'Offices 1').waitFor();
    await page.getByText(/^1 of \d+$/).waitFor();
    expect(parameters(page).get('city')).toBe('lisboa');
    expect(parameters(page).get('region')).toBe('11');
  });

  it('show the active records alone with one press, which a filter says', async () => {
    await using opened = await scene.open('/offices');
    const { page } = opened;
    const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Active' });
    await tab.click();
    await expect.poll(() => tab.getAttribute('aria-current')).toBe('page');
    expect(parameters(page).get('status')).toBe('active');
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await expect.poll(() => tab.getAttribute('aria-current')).toBeNull();
  });

  it('find a filter by what one types, among groups, without a mouse', async () => {
    await using opened = await scene.open('/agents', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Add a filter' }));
    const menu = page.getByRole('menu');
    await menu
      .getByRole('group', { name: 'Licences and numbers' })
      .getByText('Licence expires', { exact: true })
      .waitFor();
    await menu.getByRole('group', { name: 'Times' }).getByText('Created', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.keyboard.type('exp');
    await expect.poll(() => menu.getByRole('menuitem').allTextContents()).toEqual(['Licence expires']);
    await press(page, 'Enter');
    await page.getByRole('dialog', { name: 'Licence expires' }).waitFor();
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toMatch(/^button "Licence expires/);
  });

  it('find the licences that expire within 60 days by three keys, counted from each day on which the view is opened', async () => {
    const agents = [
      ['Prazo', 60],
      ['Folga', 62],
    ] as const;
    const ids: string[] = [];
    for (const [lastName, days] of agents) {
      const agent = { firstName: 'Vera', lastName, licenses: [{ number: 'V-1', expiresOn: dayIn(days) }] };
      const created = await scene.server.request('POST', '/agents', agent);
      ids.push(((await created.json()) as { id: string }).id);
    }
    await using opened = await scene.open('/agents', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Add a filter' }));
    await page.getByRole('menu').waitFor();
    await page.keyboard.type('exp');
    await press(page, 'Enter');
    const days = page.getByRole('spinbutton', { name: 'Number of days' });
    await expect.poll(() => days.inputValue()).toBe('60');
    await expectAccessible(page);
    await press(page, 'Enter');
    const chip = page.getByRole('button', { name: 'Licence expires within the next 60 days' });
    await chip.waitFor();
    await page.getByRole('link', { name: 'Vera Prazo' }).waitFor();
    expect(await page.getByRole('link', { name: 'Vera Folga' }).count()).toBe(0);
    expect(parameters(page).get('licenseExpiresSince')).toBe('P0D');
    expect(parameters(page).get('licenseExpiresBefore')).toBe('P61D');

    // The link says the same, and so does the chip, which edits it.
    await page.reload();
    await activate(page, chip);
    await typeInto(page, days, '62');
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'Vera Folga' }).waitFor();
    await activate(page, page.getByRole('button', { name: 'Remove the filter Licence expires' }));
    await expect
      .poll(() => [...parameters(page).keys()].filter((name) => name.startsWith('license')))
      .toEqual([]);

    await activate(page, page.getByRole('button', { name: 'Add a filter' }));
    await page.getByRole('menu').waitFor();
    await page.keyboard.type('changed');
    await press(page, 'Enter');
    await days.waitFor();
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'Changed in the last 30 days' }).waitFor();
    expect(parameters(page).get('updatedSince')).toBe('-P30D');
    for (const id of ids) await scene.server.request('DELETE', `/agents/${id}`);
  });

  it('keep a duration of a link that the editor does not offer, until another date is chosen', async () => {
    await using opened = await scene.open('/agents?updatedSince=-PT12H&createdBefore=P1M');
    const { page } = opened;
    await page.getByRole('button', { name: 'Changed from 12 hours ago' }).waitFor();
    await page.getByRole('button', { name: 'Created before next month' }).click();
    const popover = page.getByRole('dialog');
    await popover.getByText('next month').waitFor();
    await press(page, 'Escape');
    await popover.waitFor({ state: 'detached' });
    expect(parameters(page).get('createdBefore')).toBe('P1M');
  });

  it('show, hide, find and move columns without a mouse, remembered by the browser', async () => {
    await using opened = await scene.open('/agents', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Columns' }));
    const popover = page.getByRole('dialog');
    await activate(page, popover.getByRole('switch', { name: 'City' }), ' ');
    await activate(page, popover.getByRole('button', { name: /^Move Phone/ }), 'ArrowUp');
    await expectAccessible(page);
    await typeInto(page, popover.getByRole('searchbox'), 'langu');
    await expect.poll(() => popover.getByRole('switch').count()).toBe(1);
    await press(page, 'Escape');
    const names = ['Nameby last name', 'Phone', 'Office', 'Email', 'Licence ends'];
    const headers = () => page.getByRole('columnheader').allTextContents();
    await expect.poll(async () => (await headers()).slice(1)).toEqual(names);
    await page.goto(`${scene.server.url}/console/agents`);
    await expect.poll(async () => (await headers()).slice(1)).toEqual(names);
  });

  it('save a view as a tab, save it again when it is changed, and delete it', async () => {
    await using opened = await scene.open('/agents?status=active&sort=-createdAt');
    const { page, context } = opened;
    const tab = await context.newPage();
    await tab.goto(`${scene.server.url}/console/agents`);
    await rows(tab).first().waitFor();
    await page.getByRole('button', { name: 'Save as view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Newest');
    await dialog.getByLabel(/^Shared with/).check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    const views = (of: Page) => of.getByRole('navigation', { name: 'Views' });
    const link = views(page).getByRole('link', { name: 'Newest' });
    await expect.poll(() => link.getAttribute('aria-current')).toBe('page');
    await views(tab).getByRole('link', { name: 'Newest' }).waitFor();
    await tab.close();
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await page.getByRole('button', { name: 'Save the changes' }).click();
    await page.getByText('View saved').waitFor();
    await page.getByRole('button', { name: 'Save the changes' }).waitFor({ state: 'detached' });

    // Somebody else has the shared view, too, and opens it with its order.
    await using other = await scene.open('/agents', { as: 'viewer' });
    await views(other.page).getByRole('link', { name: 'Newest' }).click();
    await expect.poll(() => parameters(other.page).get('sort')).toBe('-createdAt');
    expect(parameters(other.page).get('status')).toBeNull();

    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Rename, share or delete the view…' }).click();
    await dialog.getByRole('button', { name: 'Delete the view' }).click();
    await link.waitFor({ state: 'detached' });
    await expect.poll(() => parameters(page).get('view')).toBeNull();
  });

  it('export exactly what is shown, in a file that no spreadsheet executes', async () => {
    await using opened = await scene.open('/agents?q=1%2B1&columns=displayName&columns=phone');
    const { page } = opened;
    // Without the dialog of the system, in which nobody can click, the browser downloads the file.
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await rows(page).first().waitFor();
    await openTool(page, 'More', 'Export…');
    await expectAccessible(page);
    const format = page.getByRole('dialog').getByRole('combobox', { name: 'Format' });
    await chooseOption(format, 'CSV, for spreadsheets');
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text).toBe("\uFEFFName,Phone\r\nAna =1+1,'+351 21 000 0001\r\n");
  });

  it('export all fields as a workbook with the columns of an import, and texts that are no formulas', async () => {
    await using opened = await scene.open('/agents?q=1%2B1');
    const { page } = opened;
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await rows(page).first().waitFor();
    await openTool(page, 'More', 'Export…');
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /^All fields/ })
      .check();
    const download = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^agents-\d{4}-\d\d-\d\d\.xlsx$/);
    const { csv, notes } = await readWorkbook(await openAsBlob(await saved.path()));
    const [header = '', row = ''] = (await csv.text()).split('\n');
    expect(header).toMatch(/^"id","status",.*"lastName".*"licenses"/);
    expect(row).toContain('"=1+1"');
    expect(row).toContain('"+351210000001"');
    expect(notes.formulas).toEqual([]);
  });

  it('jump to a name in the whole list', async () => {
    await using opened = await scene.open('/agents', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Sort', exact: true }));
    await page.getByRole('menuitem', { name: 'Jump to…' }).waitFor();
    await press(page, 'End', 'Enter');
    await page.getByRole('dialog').getByLabel('The beginning of a name').waitFor();
    await page.keyboard.type('Carvalho');
    await press(page, 'Enter');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent ?? ''))
      .toMatch(/Carvalho/);
    await heading(page, 'Agents 121').waitFor();
  });

  it('update a row where it is when someone changes it, and let new ones wait', async () => {
    await using opened = await scene.open('/agents');
    const { page, following } = opened;
    await rows(page).first().waitFor();
    await following;
    const first = rows(page).and(page.locator('[data-index="0"]'));
    const name = await first.getByRole('link').first().textContent();
    const id = agentIds.at(0) ?? '';
    await scene.server.request('PATCH', `/agents/${id}`, { phone: '+351210999999' });
    await page.getByText('+351 21 099 9999').waitFor();
    await seedAgents(scene.server, 2, { lastName: 'AAAlbano' });
    const pill = page.getByRole('button', { name: '2 changes: show' });
    await pill.waitFor();
    expect(await first.getByRole('link').first().textContent()).toBe(name);
    const headings = page.getByRole('columnheader').first();
    const [over, under] = await Promise.all([pill.boundingBox(), headings.boundingBox()]);
    expect(over?.y ?? 0, 'it covers no heading').toBeGreaterThan((under?.y ?? 0) + (under?.height ?? 0));
    await expectAccessible(page);
    await pill.click();
    await page.getByRole('link', { name: 'Beatriz AAAlbano' }).waitFor();
    await heading(page, 'Agents 123').waitFor();
    await expect.poll(() => pill.count()).toBe(0);
  });

  it('count the agents of an office as they come and go, in the list and beside it', async () => {
    const [officeId = ''] = await seedOffices(scene.server, 1);
    await using opened = await scene.open(`/offices?ids=${officeId}&columns=name&columns=counts.agents`);
    const { page, following } = opened;
    const count = rows(page).first().getByRole('gridcell').last();
    await expect.poll(() => count.textContent()).toBe('0');
    await following;
    const [agentId = ''] = await seedAgents(scene.server, 3, { officeIds: [officeId] });
    await expect.poll(() => count.textContent()).toBe('3');
    const response = await scene.server.request('DELETE', `/agents/${agentId}`);
    expect(response.status).toBeLessThan(300);
    await expect.poll(() => count.textContent()).toBe('2');
    await rows(page).first().getByRole('link').first().click();
    const beside = page.getByRole('region', { name: 'Agents', exact: true });
    await beside.getByRole('link', { name: 'All 2' }).waitFor();
    await seedAgents(scene.server, 1, { officeIds: [officeId] });
    await beside.getByRole('link', { name: 'All 3' }).waitFor();
  });

  it('are in Portuguese, and refuse nothing to someone who only reads', async () => {
    await using opened = await scene.open('/offices?status=active', {
      as: 'viewer',
      browser: { locale: 'pt-PT', viewport: { width: 1_024, height: 700 } },
    });
    const { page } = opened;
    await page.getByRole('button', { name: 'Remover o filtro Estado' }).waitFor();
    await rows(page).getByRole('checkbox').first().click();
    await page.getByText('1 selecionado').waitFor();
    expect(await page.getByRole('button', { name: 'Desativar' }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('sort agents by the city where they work', async () => {
    const { server } = scene;
    const office = (name: string, city: string) =>
      createRecord(server, 'offices', { name, address: { city } });
    const [faro, porto] = [await office('Sul', 'Faro'), await office('Norte', 'Porto')];
    await createAgent(server, 'Norte', { officeId: porto.id, mlsId: 'BYCITY' });
    await createAgent(server, 'Sul', { officeId: faro.id, mlsId: 'BYCITY' });
    await createAgent(server, 'Aveiro', { mlsId: 'BYCITY' });
    await using opened = await scene.open('/agents?mlsId=BYCITY', { as: 'manager' });
    const { page } = opened;
    const city = page.getByRole('columnheader', { name: 'City' });
    const names = () => rows(page).getByRole('link', { name: /^Ana / }).allTextContents();
    await city.getByRole('button').click();
    await expect.poll(() => city.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(names).toEqual(['Ana Sul', 'Ana Norte', 'Ana Aveiro']);
    await expectAccessible(page);
    await city.getByRole('button').click();
    await expect.poll(() => city.getAttribute('aria-sort')).toBe('descending');
    await expect.poll(names).toEqual(['Ana Aveiro', 'Ana Norte', 'Ana Sul']);
    expect(parameters(page).get('sort')).toBe('-city');
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await page.getByText('City, Z to A').waitFor();
  });
});
