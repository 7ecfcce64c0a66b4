import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  seedAgents,
  tabTo,
  useConsole,
} from './support/index.ts';

const samples = join(import.meta.dirname, '../../../samples');

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

  it('of the samples takes a person with a keyboard and no manual, and is undone by one button', async () => {
    await using opened = await scene.open('/imports', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    for (const [name, count] of [
      ['offices', 11],
      ['agents', 68],
    ] as const) {
      await choose(page, join(samples, `${name}.csv`));
      await activate(page, page.getByRole('button', { name: 'Continue to the columns' }));
      await activate(page, page.getByRole('button', { name: 'Check all rows' }));
      await page.getByText(`All ${count} rows can be imported`).waitFor();
      expect(await countOf(name)).toBe(0);
      await activate(page, page.getByRole('button', { name: `Import ${count} rows` }));
      await page.getByText('The import is complete').waitFor();
      expect(await countOf(name)).toBe(count);
    }
    await activate(page, page.getByRole('button', { name: 'Undo all' }));
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Undo all' }));
    await page.getByText('68 records are as they were.').first().waitFor();
    expect(await countOf('agents')).toBe(0);
    expect(await countOf('offices')).toBe(11);
  });

  it('marks the faulty cells with their rows, imports the good ones, and takes the corrected report', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await expectAccessible(page);
    await choose(
      page,
      csv(
        'staff.csv',
        'Given name;Surname;E-mail;Status;License #;licenses[0].expiresOn;Shoe size',
        'Inês;Três;ines@staff.example;ativo;A1;31/12/2031;38',
        'João;Dois;not an address;on leave;A2;01/02/2031;44',
        'Zé;Um;ines@staff.example;active;A3;01/02/2031;41',
      ),
    );
    await page.getByRole('cell', { name: 'Inês' }).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Continue to the columns' }).click();
    await page.getByRole('combobox', { name: 'Surname' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Surname' }).inputValue()).toBe('lastName');
    expect(await page.getByRole('combobox', { name: 'Shoe size' }).inputValue()).toBe('');
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Check all rows' }).click();
    // The dates are read with the day first, and one word is not known.
    await page.getByText('01/02/2031 is February 1, 2031').waitFor();
    await page.getByRole('combobox', { name: 'on leave' }).selectOption('inactive');
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Check all rows' }).click();

    await page.getByText('2 rows have errors').waitFor();
    await page.getByText('Row 3', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Cells of row 3' }).textContent()).toContain(
      'not an address',
    );
    await page.getByText('is also that of row 2').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download these rows' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('staff-errors.csv');
    const report = await readFile(await download.path(), 'utf8');
    await page.getByRole('button', { name: 'Import only the good row' }).click();
    await page.getByText('The good rows are imported, the others are not').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    const [ines] = (await listed('/agents?email=ines@staff.example')).items;
    expect(ines).toMatchObject({
      firstName: 'Inês',
      status: 'active',
      licenses: [{ number: 'A1', expiresOn: '2031-12-31' }],
    });

    // The report is the file with an error in front, and after its correction every row goes in.
    expect(report).toMatch(/^\uFEFFimport error;Given name;Surname;/);
    const corrected = report
      .replace('not an address', 'joao@staff.example')
      .replace('ines@staff.example;active', 'ze@staff.example;active');
    await choose(page, { name: 'staff-errors.csv', mimeType: 'text/csv', buffer: Buffer.from(corrected) });
    await page.getByRole('button', { name: 'Continue to the columns' }).click();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByRole('combobox', { name: 'on leave' }).selectOption('inactive');
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('The import is complete').waitFor();
    const [joao] = (await listed('/agents?email=joao@staff.example')).items;
    expect(joao).toMatchObject({ firstName: 'João', lastName: 'Dois', status: 'inactive' });
  });

  it('rejects a row whose e-mail address leads to another person until the box is checked, and then lists the other faulty rows alone', async () => {
    const [id = ''] = await seedAgents(scene.server, 1, {
      firstName: 'Ilda',
      lastName: 'Nunes',
      email: 'ilda@names.example',
    });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await choose(
      page,
      csv('names.csv', 'First,Last,Email', 'Joel,Pires,ilda@names.example', 'Rita,Sá,nowhere'),
    );
    await page.getByRole('button', { name: 'Continue to the columns' }).click();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('2 rows have errors').waitFor();
    await page.getByText(/"Ilda Nunes" .*"Joel Pires"/).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download what each row matched' }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe('names-matches.csv');
    expect(await readFile(await download.path(), 'utf8')).toContain('2,email,');
    await page.getByRole('checkbox', { name: 'Rename the agents in these rows' }).click();
    await page.getByText('1 row has errors').waitFor();
    await page.getByText('Row 3').waitFor();
    expect(await page.getByText('Row 2').count()).toBe(0);
    await page.getByRole('button', { name: 'Import only the good row' }).click();
    await page.getByText('The good rows are imported, the others are not').waitFor();
    expect((await listed('/agents?email=ilda@names.example')).items).toMatchObject([
      { id, firstName: 'Joel', lastName: 'Pires' },
    ]);
  });

  it('of records by their ids says before it writes what is wrong with what they would become', async () => {
    const [id = ''] = await seedAgents(scene.server, 1, { mlsId: 'BY-ID' });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Paste rows' }).click();
    await page.getByRole('textbox').fill(`id\tE-mail\n${id}\tnot an address`);
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue to the columns' }).click();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('1 row has errors').waitFor();
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
  });

  it('is undone but for what was changed since, which is listed', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Paste rows' }).click();
    await page
      .getByRole('textbox')
      .fill(
        'First name\tSurname\tE-mail\tPhone\nEva\tUm\teva@undo.example\t+351 210 000 001\nRui\tDois\trui@undo.example\t+351 210 000 002',
      );
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Continue to the columns' }).click();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByRole('button', { name: 'Import 2 rows' }).click();
    await page.getByText('The import is complete').waitFor();
    const [eva] = (await listed('/agents?email=eva@undo.example')).items;
    await scene.server.request('PATCH', `/agents/${eva?.id}`, { phone: '+351210000003' });
    await page.getByRole('button', { name: 'Undo all' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo all' }).click();
    await page.getByText('1 record is as it was.').first().waitFor();
    await page.getByText('was changed since the import, and stays as it is').waitFor();
    expect((await listed('/agents?email=eva@undo.example')).items).toHaveLength(1);
    expect((await listed('/agents?email=rui@undo.example')).items).toEqual([]);
    await expectAccessible(page);
  });
});
