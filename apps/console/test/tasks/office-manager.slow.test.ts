import { openAsBlob } from 'node:fs';
import type { Person } from '@roster/api';
import { readWorkbook } from '@roster/import/workbook';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent, createRecord, readRecord, type StoredRecord } from '../support/directory.ts';
import {
  addDevice,
  expectAccessible,
  hasBrowser,
  openConsole,
  seedAgents,
  useConsole,
} from '../support/index.ts';
import { Steps } from './steps.ts';

/** A day in so many days, in UTC. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** The Monday after today, where the console runs. */
function nextMonday(): string {
  const today = new Date();
  const days = (8 - today.getDay()) % 7 || 7;
  return new Date(Date.UTC(today.getFullYear(), today.getMonth(), today.getDate() + days))
    .toISOString()
    .slice(0, 10);
}

const dialog = (page: Page) => page.getByRole('dialog');

// Every page fails its test if it writes a warning or an error to the console of the browser.
describe.skipIf(!hasBrowser)('an office manager, in the directory of the samples,', () => {
  const scene = useConsole();

  beforeAll(async () => {
    await using opened = await scene.open('/agents', { as: 'manager' });
    await opened.page.getByRole('button', { name: 'Load samples' }).click();
    await opened.page.getByText('Samples loaded.').waitFor();
  });

  /** A record of the samples, by its key in their source. */
  async function sample(resource: 'offices' | 'agents', key: string): Promise<StoredRecord> {
    const response = await scene.server.request('GET', `/${resource}?sourceKey=${key}`);
    const { items } = (await response.json()) as { items: StoredRecord[] };
    if (items[0] === undefined) throw new Error(`The samples have no ${key}.`);
    return items[0];
  }

  const openMenuItem = async (page: Page, steps: Steps, name: string) => {
    await steps.click(page.getByRole('button', { name: 'More actions' }));
    await steps.click(page.getByRole('menuitem', { name }));
  };

  it('finds someone whose name is typed wrongly', async () => {
    await using opened = await scene.open('/agents', { as: 'manager' });
    const { page } = opened;
    await page.getByRole('link', { name: 'Rita Abreu' }).waitFor();
    const steps = new Steps(page);
    await steps.enter(page.getByRole('searchbox'), 'Figeiredo');
    await page.getByText('Showing similar results.').waitFor();
    await expectAccessible(page);
    await steps.click(page.getByRole('link', { name: 'Inês Figueiredo' }));
    await page.getByRole('heading', { name: 'Inês Figueiredo' }).waitFor();
    await expectAccessible(page);
    steps.expectAtMost('find');
  });

  it('corrects a telephone number', async () => {
    const { id } = await sample('agents', 'AGT-00010');
    await using opened = await scene.open(`/agents/${id}`, { as: 'manager' });
    const { page } = opened;
    const steps = new Steps(page);
    await steps.click(page.getByRole('link', { name: 'Edit', exact: true }));
    await steps.enter(page.getByRole('textbox', { name: 'Phone', exact: true }), '+351 214 000 199');
    await expectAccessible(page);
    await steps.press('Enter');
    await page.getByRole('link', { name: '+351 21 400 0199' }).first().waitFor();
    expect((await readRecord(scene.server, 'agents', id)).phone).toBe('+351214000199');
    steps.expectAtMost('telephone');
  });

  it('moves someone to another office on a day', async () => {
    const { id } = await sample('agents', 'AGT-00012');
    const { id: officeId } = await sample('offices', 'OFF-0005');
    await using opened = await scene.open(`/agents/${id}`, { as: 'manager' });
    const { page } = opened;
    const steps = new Steps(page);
    await openMenuItem(page, steps, 'Transfer …');
    await steps.enter(dialog(page).getByRole('combobox', { name: 'New office' }), 'Algarve');
    await steps.click(page.getByRole('option', { name: /Casa Clara Algarve/ }));
    await steps.click(page.getByRole('radio', { name: 'On a date' }));
    await steps.enter(page.getByRole('combobox', { name: 'Date', exact: true }), dayIn(40));
    await expectAccessible(page);
    await steps.click(dialog(page).getByRole('button', { name: 'Transfer' }));
    await page.getByText(/The transfer of .* to Casa Clara Algarve is scheduled/).waitFor();
    const response = await scene.server.request('GET', `/scheduled-changes?subject=${id}`);
    expect(await response.json()).toMatchObject({ items: [{ change: 'transfer', officeId }] });
    steps.expectAtMost('transfer');
  });

  it('deactivates an office with its agents, and undoes that', async () => {
    const office = await sample('offices', 'OFF-0004');
    const statuses = async () => {
      const response = await scene.server.request('GET', `/agents?officeId=${office.id}`);
      const { items } = (await response.json()) as { items: StoredRecord[] };
      const { status } = await readRecord(scene.server, 'offices', office.id);
      return new Set([status, ...items.map((agent) => agent.status)]);
    };
    await using opened = await scene.open(`/offices/${office.id}`, { as: 'manager' });
    const { page } = opened;
    const steps = new Steps(page);
    await openMenuItem(page, steps, 'Deactivate …');
    await steps.click(page.getByRole('checkbox', { name: 'Deactivate its active agents too' }));
    await expectAccessible(page);
    await steps.click(page.getByRole('button', { name: 'Deactivate office and 5 agents' }));
    await page.getByText(/Casa Clara Minho and 5 agents were deactivated/).waitFor();
    expect(await statuses()).toEqual(new Set(['inactive']));
    steps.expectAtMost('deactivateOffice');

    const undo = new Steps(page);
    await undo.click(page.getByRole('button', { name: 'Undo' }));
    await dialog(page).getByText('All 5 records will be restored.').waitFor();
    await undo.click(dialog(page).getByRole('button', { name: 'Undo all' }));
    await page.getByText(/Office reactivated, 5 agents/).waitFor();
    expect(await statuses()).toEqual(new Set(['active']));
    await expectAccessible(page);
    undo.expectAtMost('undo');
  });

  it('imports a messy spreadsheet: two languages, national days, unknown words and offices, a duplicate', async () => {
    const rows = [
      'Nome próprio;Family;E-mail;Estado;License #;Validade;Escritório;Sapatos',
      'Inês;Três;ines@staff.example;ativo;A1;31/12/2031;Casa Clara Minho;38',
      'Zé;Quatro;ze@staff.example;on leave;A2;01/02/2031;Casa Clara Minho;44',
      'Eva;Cinco;eva@staff.example;ativo;A3;01/02/2031;Nowhere;41',
      'Rui;Seis;INES@staff.example;ativo;A4;01/02/2031;;43',
    ];
    // As Excel writes it: windows-1252.
    const buffer = Buffer.from(rows.join('\r\n'), 'latin1');
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const steps = new Steps(page);
    const chooser = page.waitForEvent('filechooser');
    await steps.click(page.getByRole('button', { name: 'Choose a file' }));
    await (await chooser).setFiles({ name: 'equipa.csv', mimeType: 'text/csv', buffer });
    steps.taken.push('choose the file');
    await page.getByText('2 columns are left out').waitFor();
    await page.getByText('Family, Sapatos').waitFor();
    await expectAccessible(page);
    await steps.enter(page.getByRole('combobox', { name: 'Family' }), 'last n');
    await steps.click(page.getByRole('option', { name: 'Last name' }));
    await steps.choose(page.getByRole('combobox', { name: 'on leave' }), 'Inactive');
    await steps.click(page.getByRole('button', { name: 'Check all rows' }));
    const wrong = page.getByRole('region', { name: '2 rows need a correction' });
    await wrong.getByText("doesn't exist").waitFor();
    await expectAccessible(page);
    await steps.click(page.getByRole('button', { name: 'Import 2 of 4 rows' }));
    await page.getByText('2 rows imported, 2 not').waitFor();
    await expectAccessible(page);
    const response = await scene.server.request('GET', '/agents?email=ze@staff.example');
    expect(await response.json()).toMatchObject({
      items: [
        { lastName: 'Quatro', status: 'inactive', licenses: [{ number: 'A2', expiresOn: '2031-02-01' }] },
      ],
    });
    steps.expectAtMost('importFile');
  });

  it('exports a list as a file for spreadsheets', async () => {
    await using opened = await scene.open('/agents?q=Drummond', { as: 'manager' });
    const { page } = opened;
    // Without the dialog of the system, in which nobody can click, the browser downloads the file.
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await page.getByRole('link', { name: 'Isla Drummond' }).waitFor();
    const steps = new Steps(page);
    await steps.click(page.getByRole('button', { name: 'More', exact: true }));
    await steps.click(page.getByRole('menuitem', { name: 'Export…' }));
    await dialog(page).getByRole('button', { name: 'Export' }).waitFor();
    await expectAccessible(page);
    const downloading = page.waitForEvent('download');
    await steps.click(dialog(page).getByRole('button', { name: 'Export' }));
    const { csv } = await readWorkbook(await openAsBlob(await (await downloading).path()));
    const text = await csv.text();
    expect(text).toContain('isla.drummond@harbourvale.example');
    expect(text.split('\n')).toHaveLength(2);
    steps.expectAtMost('export');
  });

  it('sees who changed a record, and takes it back', async () => {
    const { server } = scene;
    const { id, title } = await sample('agents', 'AGT-00030');
    const other = await scene.person('editor', undefined, 'Marta Antunes');
    const headers = { ...other.headers, 'Content-Type': 'application/merge-patch+json' };
    const body = JSON.stringify({ title: 'Director' });
    const changed = await fetch(`${server.url}/agents/${id}`, { method: 'PATCH', headers, body });
    expect(changed.status).toBe(200);
    // Who may manage people sees their names.
    await using opened = await scene.open(`/agents/${id}`);
    const { page } = opened;
    const steps = new Steps(page);
    await steps.click(page.getByRole('link', { name: 'History' }));
    await page.getByText('Marta Antunes').first().waitFor();
    await page.getByText('Director').first().waitFor();
    await expectAccessible(page);
    await steps.click(page.getByRole('button', { name: 'Restore Version 2' }));
    await expectAccessible(page);
    await steps.click(dialog(page).getByRole('button', { name: 'Revert' }));
    await page.getByText('Reverted to version 1').waitFor();
    expect((await readRecord(server, 'agents', id)).title).toBe(title);
    steps.expectAtMost('revert');
  });

  it('changes 200 records at once', async () => {
    await seedAgents(scene.server, 200, { mlsId: 'SPRING' });
    await using opened = await scene.open('/agents?mlsId=SPRING', { as: 'manager' });
    const { page } = opened;
    await page.getByRole('link', { name: /^Ana/ }).first().waitFor();
    const steps = new Steps(page);
    await steps.click(page.getByRole('checkbox', { name: /^Select all/ }));
    await steps.click(page.getByRole('button', { name: 'Change fields' }));
    await steps.choose(dialog(page).getByRole('combobox', { name: 'Field to change' }), 'Job title');
    await steps.enter(dialog(page).getByRole('textbox', { name: 'Job title' }), 'Partner');
    await steps.enter(dialog(page).getByRole('textbox', { name: 'Type 200 to confirm' }), '200');
    await expectAccessible(page);
    await steps.click(dialog(page).getByRole('button', { name: 'Change 200 records' }));
    await page.getByText('Completed').waitFor();
    const response = await scene.server.request('GET', '/agents?mlsId=SPRING&limit=200');
    const { items } = (await response.json()) as { items: StoredRecord[] };
    expect(items.filter(({ title }) => title === 'Partner')).toHaveLength(200);
    steps.expectAtMost('bulk');
  });

  it('invites a person for two offices, who then signs in with a passkey and sees these', async () => {
    const { server, browser } = scene;
    const url = server.url.replace('127.0.0.1', 'localhost');
    await using opened = await scene.open('/people');
    const { page } = opened;
    const steps = new Steps(page);
    await steps.click(page.getByRole('button', { name: 'Invite people' }));
    const form = page.getByRole('region', { name: 'Invite people' });
    await steps.enter(form.getByRole('textbox', { name: 'Name' }), 'Carla Nunes');
    await steps.enter(form.getByRole('textbox', { name: 'Email' }), 'carla@casaclara.example');
    await steps.choose(
      form.getByRole('combobox', { name: 'Offices' }),
      'Selected offices and their branches',
    );
    for (const name of ['Casa Clara Minho', 'Casa Clara Madeira']) {
      await steps.enter(page.getByRole('combobox', { name: 'Add an office' }), name);
      await steps.click(page.getByRole('option', { name: new RegExp(name) }));
    }
    await page.getByRole('listbox', { name: 'Suggestions' }).waitFor({ state: 'detached' });
    await expectAccessible(page);
    await steps.click(form.getByRole('button', { name: 'Invite', exact: true }));
    const link = await dialog(page).getByRole('textbox', { name: 'Sign-in link' }).inputValue();

    const path = `/invitation${new URL(link).hash}`;
    await using hers = await openConsole(browser, { url, database: server.database }, { path, as: null });
    // Nobody is signed in when the link is opened.
    hers.faults.expect(/status of 401/);
    await addDevice(hers.context, hers.page);
    await hers.page.getByRole('heading', { name: 'Welcome, Carla Nunes' }).waitFor();
    await expectAccessible(hers.page);
    const invited = new Steps(hers.page);
    await invited.click(hers.page.getByRole('button', { name: 'Set up a passkey' }));
    await hers.page.getByRole('button', { name: /^Account of Carla Nunes/ }).waitFor();
    await hers.page.goto(`${url}/console/offices`);
    await hers.page.getByRole('link', { name: 'Casa Clara Minho' }).waitFor();
    await hers.page.getByRole('heading', { name: 'Offices 2' }).waitFor();
    const people = (await (await server.request('GET', '/people?limit=200')).json()) as { items: Person[] };
    const carla = people.items.find(({ name }) => name === 'Carla Nunes');
    expect(carla).toMatchObject({
      status: 'active',
      grants: [{ officeIds: [expect.any(String), expect.any(String)] }],
    });
    steps.taken.push('open the link', ...invited.taken);
    steps.expectAtMost('invite');
  });

  it('sees whose licences expire within 60 days', async () => {
    await using opened = await scene.open('/agents', { as: 'manager' });
    const { page } = opened;
    await page.getByRole('link', { name: 'Rita Abreu' }).waitFor();
    const steps = new Steps(page);
    await steps.click(page.getByRole('button', { name: 'Add a filter' }));
    await page.getByRole('menu').waitFor();
    await steps.type('exp');
    await page.getByRole('menuitem', { name: 'Licence expires' }).waitFor();
    await steps.press('Enter');
    await expect.poll(() => page.getByRole('spinbutton', { name: 'Number of days' }).inputValue()).toBe('60');
    await expectAccessible(page);
    await steps.press('Enter');
    await page.getByRole('button', { name: 'Licence expires within the next 60 days' }).waitFor();
    await page.getByRole('heading', { name: 'Agents 9' }).waitFor();
    await expectAccessible(page);
    steps.expectAtMost('licences');
  });

  it('moves five agents to another office from Monday', async () => {
    const { server } = scene;
    const { id: officeId } = await createRecord(server, 'offices', { name: 'Destino' });
    const from = await createRecord(server, 'offices', { name: 'Mudança' });
    for (let at = 0; at < 6; at += 1) await createAgent(server, `Mudança ${at}`, { officeId: from.id });
    await using opened = await scene.open(`/agents?officeId=${from.id}`, { as: 'manager' });
    const { page } = opened;
    const steps = new Steps(page);
    for (let at = 0; at < 5; at += 1)
      await steps.click(page.getByRole('checkbox', { name: `Select Ana Mudança ${at}` }));
    await steps.click(page.getByRole('button', { name: 'Transfer', exact: true }));
    await steps.enter(dialog(page).getByRole('combobox', { name: 'New office' }), 'Destino');
    await steps.click(page.getByRole('option', { name: /Destino/ }));
    await steps.click(dialog(page).getByRole('radio', { name: 'On a date' }));
    await steps.enter(dialog(page).getByRole('combobox', { name: 'Date', exact: true }), nextMonday());
    await expectAccessible(page);
    await steps.click(dialog(page).getByRole('button', { name: 'Schedule for 5 agents' }));
    await page.getByText('Completed').waitFor();
    await expectAccessible(page);
    const response = await server.request('GET', `/scheduled-changes?change=transfer&limit=200`);
    const { items } = (await response.json()) as { items: { officeId: string; effectiveAt: string }[] };
    const moved = items.filter((change) => change.officeId === officeId);
    expect(moved).toHaveLength(5);
    expect(moved.map(({ effectiveAt }) => new Date(effectiveAt).getDay())).toEqual(Array(5).fill(1));
    expect(steps.taken.filter((step) => step.startsWith('click')).length).toBeLessThanOrEqual(11);
    steps.expectAtMost('moveFive');
  });

  it('exports the agents in Porto whose licences end within 60 days for Excel', async () => {
    const { server } = scene;
    const porto = await createRecord(server, 'offices', { name: 'Só Porto', address: { city: 'Porto' } });
    const person = { officeId: porto.id, email: null, mobilePhone: '+351910000001' };
    await createAgent(server, 'Prazo', {
      ...person,
      licenses: [{ number: '=AMI 9', expiresOn: dayIn(50) }],
    });
    await createAgent(server, 'Depois', { ...person, licenses: [{ number: 'AMI 8', expiresOn: dayIn(61) }] });
    await using opened = await scene.open('/agents', { as: 'manager' });
    const { page } = opened;
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await page.getByRole('grid').waitFor();
    const steps = new Steps(page);
    const addFilter = async (words: string, item: string) => {
      await steps.click(page.getByRole('button', { name: 'Add a filter' }));
      await page.getByRole('menu').waitFor();
      await steps.type(words);
      await page.getByRole('menuitem', { name: item, exact: true }).waitFor();
      await steps.press('Enter');
    };
    await addFilter('city', 'City');
    await dialog(page).getByRole('textbox').waitFor();
    await steps.type('Porto');
    await steps.press('Escape');
    await page.getByRole('button', { name: 'Remove the filter City' }).waitFor();
    await addFilter('exp', 'Licence expires');
    await page.getByRole('spinbutton', { name: 'Number of days' }).waitFor();
    await steps.press('Enter');
    await page.getByRole('button', { name: 'Licence expires within the next 60 days' }).waitFor();
    await page.getByRole('link', { name: 'Ana Prazo' }).waitFor();
    await steps.click(page.getByRole('button', { name: 'More', exact: true }));
    await steps.click(page.getByRole('menuitem', { name: 'Export…' }));
    await expectAccessible(page);
    const downloading = page.waitForEvent('download');
    await steps.click(dialog(page).getByRole('button', { name: 'Export' }));
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
    const { csv, notes } = await readWorkbook(await openAsBlob(await download.path()));
    const [header, ...rows] = (await csv.text()).split('\n');
    expect(header).toBe('"Name","Office","City","Phone","Email","Licence ends","Licence number","Mobile"');
    const phone = '"+351 910 000 001"';
    expect(rows.join('\n')).toContain(
      `"Ana Prazo","Só Porto","Porto",${phone},,"${dayIn(50)}","=AMI 9",${phone}`,
    );
    expect(rows.join()).not.toContain('Depois');
    expect(notes.formulas).toEqual([]);
    steps.expectAtMost('exportPorto');
  });

  it('finds someone and corrects a telephone number by the keyboard alone', async () => {
    const office = await createRecord(scene.server, 'offices', { name: 'Tecla' });
    const { id } = await createAgent(scene.server, 'Teclado', {
      officeId: office.id,
      phone: '+351210000001',
    });
    await using opened = await scene.open('/agents', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    await page.getByRole('grid').waitFor();
    const steps = new Steps(page);
    await steps.press('ControlOrMeta+K');
    await page.getByRole('combobox', { name: /^Search for/ }).waitFor();
    await steps.type('Teclado');
    await page.getByRole('option', { name: /Ana Teclado/ }).waitFor();
    await expectAccessible(page);
    await steps.press('Enter');
    await page.getByRole('heading', { name: 'Ana Teclado' }).waitFor();
    await steps.press('e');
    const phone = page.getByRole('textbox', { name: 'Phone', exact: true });
    await expect.poll(() => phone.evaluate((field) => field === document.activeElement)).toBe(true);
    await expectAccessible(page);
    await steps.press('ControlOrMeta+A');
    await steps.type('+351210000002');
    await steps.press('Enter');
    await expect.poll(async () => (await readRecord(scene.server, 'agents', id)).phone).toBe('+351210000002');
    steps.expectAtMost('keyboard');
  });
});
