import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  seedAgents,
  tabTo,
  useConsole,
} from '../support/index.ts';

const samples = join(import.meta.dirname, '../../../../samples');

/** Waits until a column is taken for a field. */
const expectField = (page: Page, column: string, field: string) =>
  expect.poll(() => page.getByRole('combobox', { name: column }).inputValue()).toBe(field);

/** Pastes rows into the dialog for that. */
async function paste(page: Page, rows: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste rows' }).click();
  await page.getByRole('textbox', { name: 'Rows with a header' }).fill(rows);
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
}

const COUNTRY = 'Country of phone numbers';

type Files = Parameters<Page['setInputFiles']>[1];

/** Chooses a file by the button of the drop zone, without a pointer. */
async function choose(page: Page, files: Files): Promise<void> {
  await tabTo(page, page.getByRole('link', { name: 'Imports', exact: true }));
  await page.keyboard.press('Enter');
  const chooser = page.waitForEvent('filechooser');
  await activate(page, page.getByRole('button', { name: 'Choose a file' }));
  await (await chooser).setFiles(files);
}

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  // As Excel writes it: windows-1252.
  buffer: Buffer.from(lines.join('\r\n'), 'latin1'),
});

describe.skipIf(!hasBrowser)('an import', () => {
  const scene = useConsole();
  const listed = async (path: string) => {
    const response = await scene.server.request('GET', path);
    return (await response.json()) as { total: number; items: Record<string, unknown>[] };
  };
  const countOf = async (resource: string) => (await listed(`/${resource}?includeTotal=true&limit=1`)).total;
  const expectGood = async (page: Page) => {
    await expectAccessible(page);
    await expectNarrow(page);
  };

  it('of the samples takes a person with a keyboard and no manual, and its undo says first what it would do', async () => {
    await using opened = await scene.open('/imports', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    for (const [name, count] of [
      ['offices', 11],
      ['agents', 68],
    ] as const) {
      await choose(page, join(samples, `${name}.csv`));
      await activate(page, page.getByRole('button', { name: 'Check all rows' }));
      await page.getByText(`All ${count} rows can be imported`).waitFor();
      expect(await countOf(name)).toBe(0);
      await activate(page, page.getByRole('button', { name: `Import ${count} rows` }));
      await page.getByText('Import complete').waitFor();
      expect(await countOf(name)).toBe(count);
    }
    await activate(page, page.getByRole('button', { name: 'Undo all' }));
    await page.getByText('All 68 records will be restored.').waitFor();
    expect(await countOf('agents')).toBe(68);
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Undo all' }));
    await page.getByText('The job has finished. Changed: 68').waitFor();
    expect(await countOf('agents')).toBe(0);
    expect(await countOf('offices')).toBe(11);
  });

  it('asks what columns, words and days mean, says all that is wrong with a row in words, and takes the corrected rows', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await expectAccessible(page);
    await choose(
      page,
      csv(
        'equipa.csv',
        'Nome próprio;Family;E-mail;Estado;License #;Validade;Escritório;Sapatos;Notas',
        'Inês;Três;ines@staff.example;ativo;A1;31/12/2031;;38;',
        ';Dois;not an address;on leave;A2;2031-02-01;Nowhere;44;',
        'Zé;Um;INES@staff.example;ativo;A3;01/02/2031;;41;',
      ),
    );
    await page.getByText('3 columns are left out').waitFor();
    await page.getByText('Family, Sapatos, Notas').waitFor();
    await page.getByRole('combobox', { name: 'Dates' }).getByText('31 Dec 2031').waitFor();
    await expectGood(page);
    // The fields are found by their labels, in groups, and the names of RESO are no more than a hint.
    await page.getByRole('combobox', { name: 'Family' }).fill('last n');
    const option = page.getByRole('option', { name: 'Last name' });
    await option.waitFor();
    expect(await page.getByRole('group', { name: 'Name' }).getByRole('option').count()).toBe(1);
    await option.click();
    await page.getByText('2 columns are left out').waitFor();
    await page.getByText('Sapatos, Notas').waitFor();
    await page.getByRole('combobox', { name: 'on leave' }).waitFor();
    await page.getByText('How the file is read').click();
    await page.getByRole('textbox', { name: 'Save this mapping as' }).fill('Team list');
    await page.getByRole('button', { name: 'Check all rows' }).click();

    const faults = page.getByRole('region', { name: '2 rows need a correction' });
    await faults.waitFor();
    await page.getByText('2 of 9 columns are ignored: Sapatos, Notas').waitFor();
    for (const [column, kind, text] of [
      ['E-mail', 'not an email address', 'not an address'],
      ['Estado', 'not one of the possible values', 'on leave'],
      ['Escritório', "doesn't exist", 'Nowhere'],
      ['E-mail', 'used twice in this file', 'INES@staff.example'],
    ] as const) {
      const group = faults.getByRole('group').filter({ hasText: kind });
      await group.getByText(column, { exact: true }).waitFor();
      expect(await group.textContent()).toContain(text);
    }
    await expectGood(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download these rows' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('equipa-errors.csv');
    const report = await readFile(await download.path(), 'utf8');

    // Back in the columns, what was said is still there.
    await page.getByRole('link', { name: 'Back to the columns' }).click();
    await expectField(page, 'Family', 'Last name');
    await chooseOption(page.getByRole('combobox', { name: 'on leave' }), 'Inactive');
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await faults.waitFor();
    expect(await faults.getByText('Estado', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Import 1 of 3 rows' }).click();
    await page.getByText('1 row imported, 2 not').waitFor();
    await expectGood(page);
    const [ines] = (await listed('/agents?email=ines@staff.example')).items;
    expect(ines).toMatchObject({
      firstName: 'Inês',
      status: 'active',
      licenses: [{ number: 'A1', expiresOn: '2031-12-31' }],
    });

    // The rows are as they were, with what is wrong in front, and after their correction every row goes in.
    expect(report).toMatch(/^\uFEFFWhat to correct;Nome próprio;Family;/);
    expect(report).toContain("“not an address” isn't an email address");
    const corrected = report
      .replace(';;Dois;not an address;', ';João;Dois;joao@staff.example;')
      .replace(';Nowhere;', ';;')
      .replace(';INES@staff.example;ativo', ';ze@staff.example;ativo');
    // What was kept for the file is that of its rows with errors, in another page too.
    await page.reload();
    await choose(page, { name: 'equipa-errors.csv', mimeType: 'text/csv', buffer: Buffer.from(corrected) });
    await expectField(page, 'Family', 'Last name');
    const kept = page.getByRole('combobox', { name: 'Use a saved mapping' });
    await expect.poll(() => kept.textContent()).toContain('Team list');
    const leave = page.getByRole('combobox', { name: 'on leave' });
    await expect.poll(() => leave.textContent()).toContain('Inactive');
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Import complete').waitFor();
    const [joao] = (await listed('/agents?email=joao@staff.example')).items;
    expect(joao).toMatchObject({ firstName: 'João', lastName: 'Dois', status: 'inactive' });
  });

  it('lists changes from what to what, and leaves out renames by an e-mail address alone unless they are accepted', async () => {
    const [id = '', other = ''] = await seedAgents(scene.server, 2, {
      firstName: 'Ilda',
      lastName: 'Nunes',
    });
    await scene.server.request('PATCH', `/agents/${id}`, { email: 'ilda@names.example' });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const rows = [`${other},Ilda,Nunes,+351 210 000 005,`, ',Joel,Pires,,ilda@names.example'];
    const check = async (name: string) => {
      await choose(page, csv(name, 'id,First,Last,Phone,Email', ...rows));
      await page.getByRole('button', { name: 'Check all rows' }).click();
      await page.getByText('1 row renames a person').waitFor();
    };
    await check('names.csv');
    const renames = page.getByRole('region', { name: '1 row renames a person' });
    await renames.getByText('First name:').waitFor();
    expect(await renames.locator('del').allTextContents()).toContain('Ilda');
    expect(await renames.locator('ins').allTextContents()).toContain('Joel');
    await expectGood(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download how rows were matched' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('names-matches.csv');
    expect(await readFile(await download.path(), 'utf8')).toContain(`3,warning,email,${id}`);
    await page.getByRole('button', { name: 'Import 1 of 2 rows' }).click();
    await page.getByText('Import complete').waitFor();
    await page.getByText('Skipped', { exact: true }).waitFor();
    expect(await listed(`/agents?ids=${id}`)).toMatchObject({ items: [{ firstName: 'Ilda' }] });
    expect(await listed(`/agents?ids=${other}`)).toMatchObject({ items: [{ phone: '+351210000005' }] });

    await check('names again.csv');
    await page.getByRole('checkbox', { name: 'Allow renames' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Import complete').waitFor();
    expect(await listed(`/agents?ids=${id}`)).toMatchObject({
      items: [{ firstName: 'Joel', lastName: 'Pires' }],
    });
  });

  it('of records by their ids says before it writes what is wrong with what they would become', async () => {
    const [id = ''] = await seedAgents(scene.server, 1, { mlsId: 'BY-ID' });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await paste(page, `id\tE-mail\n${id}\tnot an address`);
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('1 row needs a correction').waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  });

  it('takes the other columns, delimiter and encoding that one says, and does not begin with two columns of one field or lose what was said without a question', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await choose(page, csv('odd.csv', 'First name|Note', 'Zé|a;b;c'));
    await page.getByText('1 column is left out').waitFor();
    await page.getByText('How the file is read').click();
    await chooseOption(page.getByRole('combobox', { name: 'Encoding' }), 'macintosh');
    await page.getByText('ZÈ').first().waitFor();
    await chooseOption(page.getByRole('combobox', { name: 'Encoding' }), 'windows-1252');
    await page.getByText('Zé', { exact: true }).waitFor();
    // A column that one names takes the field from the one that was guessed, until one names that too.
    for (const column of ['Note', 'First name']) {
      await page.getByRole('combobox', { name: column }).fill('first name');
      await page.getByRole('option', { name: 'First name' }).click();
      await expectField(page, column, 'First name');
    }
    await page.getByText('The columns First name and Note set the same field').waitFor();
    expect(await page.getByRole('button', { name: 'Check all rows' }).isDisabled()).toBe(true);
    await chooseOption(page.getByRole('combobox', { name: 'Records' }), 'Offices');
    await page.getByText('2 columns are left out').waitFor();
    await page.getByText('No columns are selected').waitFor();
    // A page that is loaded again has no file: it asks before, and for a file afterwards.
    const asking = page.waitForEvent('dialog');
    const reloading = page.reload();
    const question = await asking;
    expect(question.type()).toBe('beforeunload');
    await question.accept();
    await reloading;
    await page.getByRole('button', { name: 'Choose a file' }).waitFor();
    await page.waitForURL(/\/imports$/);
  });

  it('is undone but for what was changed since, which is said before and listed afterwards', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await paste(
      page,
      'First name\tSurname\tE-mail\tPhone\nEva\tUm\teva@undo.example\t+351 210 000 001\nRui\tDois\trui@undo.example\t+351 210 000 002',
    );
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('Import complete').waitFor();
    const { pathname } = new URL(page.url());
    const [eva] = (await listed('/agents?email=eva@undo.example')).items;
    await scene.server.request('PATCH', `/agents/${eva?.id}`, { phone: '+351210000003' });
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.getByText('1 of 2 records will be restored.').waitFor();
    await page.getByText('1 record keeps fields that have since changed').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Undo all' }).click();
    await page.getByText("Changes that couldn't be undone").waitFor();
    expect((await listed('/agents?email=eva@undo.example')).items).toHaveLength(1);
    expect((await listed('/agents?email=rui@undo.example')).items).toEqual([]);
    await page.goto(`${scene.server.url}${pathname}`);
    await page.getByText('This import was undone').waitFor();
    await expectGood(page);
    await page.getByRole('link', { name: 'All imports' }).click();
    const line = page.getByRole('row', { name: /Pasted rows/ }).first();
    await line.getByText('Undone').waitFor();
  });

  it('asks which country phone numbers without a country code are from, and says it again before anything is written', async () => {
    const { server } = scene;
    await server.request('POST', '/offices', { name: 'Casa Rio', address: { country: 'BR' } });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const rows = (...offices: string[]) =>
      ['firstName,lastName,officeName,phone', ...offices.map((name) => `Ana,Rio,${name},21 2555-0143`)].join(
        '\n',
      );
    await paste(page, rows('Casa Rio'));
    const country = page.getByLabel(COUNTRY);
    await country.waitFor();
    await expect.poll(() => country.textContent()).toContain('Brazil');
    await expectGood(page);
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('Phone numbers without a country code are from: Brazil').waitFor();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Import complete').waitFor();
    expect((await listed('/agents?q=Ana Rio')).items).toMatchObject([{ phone: '+552125550143' }]);

    await server.request('PATCH', '/settings', { defaultCountry: null });
    await page.getByRole('link', { name: 'Imports', exact: true }).click();
    await paste(page, rows('').replace('Ana,Rio', 'Eva,Nowhere'));
    await country.waitFor();
    const check = page.getByRole('button', { name: 'Check all rows' });
    await expect.poll(() => check.isDisabled()).toBe(true);
    await chooseOption(country, 'Portugal');
    await check.click();
    await page.getByText('1 row needs a correction').waitFor();
    await server.request('PATCH', '/settings', { defaultCountry: 'US' });
  });

  it('of a file with two countries takes four clicks, because the office of each agent decides', async () => {
    const { server } = scene;
    for (const [name, country] of [
      ['Two Lisboa', 'PT'],
      ['Two Madrid', 'ES'],
    ])
      await server.request('POST', '/offices', { name, address: { country } });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const rows = Array.from({ length: 2_000 }, (_, index) => {
      const isSpanish = index % 3 === 0;
      const mobile = `${isSpanish ? '612' : '912'} ${String(100_000 + index).replace(/(...)$/, ' $1')}`;
      return `Two${index},Countries,${isSpanish ? 'Two Madrid' : 'Two Lisboa'},${mobile}`;
    });
    const misspelt = rows.with(7, 'Two7,Countries,Two Lisbao,+351 912 345 678');
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    await (await chooser).setFiles(csv('two.csv', 'First name,Last name,Office,Mobile', ...misspelt));
    const country = page.getByLabel(COUNTRY);
    await country.waitFor();
    await expect.poll(() => country.textContent()).toContain("Each agent's office decides");
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('1 row needs a correction').waitFor();
    await page.getByRole('button', { name: /^Import 1,999/ }).click();
    await page.getByText('1,999 rows imported, 1 not').waitFor();
    const { items } = await listed('/agents?q=Two0 Countries');
    expect(items).toMatchObject([{ mobilePhone: '+34612100000' }]);
  });
});
