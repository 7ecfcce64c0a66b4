import { fileCases } from '@roster/server/testing/file-cases';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { readRecord } from '../support/directory.ts';
import { chooseOption, expectAccessible, expectNarrow, hasBrowser, useConsole } from '../support/index.ts';

describe.skipIf(!hasBrowser)('the columns of an imported file', () => {
  const scene = useConsole();

  /** Chooses a file, and opens its columns. */
  async function opened(
    lines: readonly string[],
    { name = 'staff.csv', locale }: { name?: string; locale?: string } = {},
  ) {
    const scened = await scene.open('/imports', { as: 'manager', ...(locale && { browser: { locale } }) });
    const { page } = scened;
    const buffer = Buffer.from(lines.join('\r\n'));
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer });
    await page.getByRole('heading', { name: /recogni[sz]ed$|reconhecid/ }).waitFor();
    return scened;
  }
  const checkButton = (page: Page) => page.getByRole('button', { name: 'Check all rows' });
  const good = async (page: Page) => {
    await expectAccessible(page);
    await expectNarrow(page);
  };

  it('are below the rows above the header, which are said to be ignored', async () => {
    const table = ['First name,Last name', 'Ana,Reis'];
    {
      await using file = await opened(['Staff of the branches', '', ...table]);
      await file.page.getByText('The column names are in row 3. The 2 rows above are ignored.').waitFor();
      await good(file.page);
    }
    await using file = await opened(table);
    expect(await file.page.getByText('The column names are in row').count()).toBe(0);
  });

  it('are said to set no required field until one does, by the name of the field', async () => {
    await using file = await opened(['Title,Cognome', 'Broker,Reis']);
    const { page } = file;
    const warning = page.getByText('No column sets a required field: First name or Last name');
    await warning.waitFor();
    await page.getByText('A row that would create a record has an error.').waitFor();
    await good(page);
    await page.getByRole('combobox', { name: 'Cognome' }).fill('last n');
    await page.getByRole('option', { name: 'Last name' }).click();
    await warning.waitFor({ state: 'detached' });
    // The column is among those that set a field now, and the focus is in it.
    const chosen = page
      .getByRole('list', { name: 'Columns', exact: true })
      .getByRole('combobox', { name: 'Cognome' });
    await expect.poll(() => chosen.evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('are checked only as they were chosen, however late the service says what that means', async () => {
    await using file = await opened(['First name,Cognome', 'Ana,Reis']);
    const { page } = file;
    const released = Promise.withResolvers<void>();
    await page.route(/imports\.preview/, async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.getByRole('combobox', { name: 'Cognome' }).fill('last n');
    const asking = page.waitForRequest(/imports\.preview/);
    await page.getByRole('option', { name: 'Last name' }).click();
    await asking;
    expect(await checkButton(page).isDisabled()).toBe(true);
    released.resolve();
    await checkButton(page).click();
    await page.getByText('The row can be imported').waitFor();
  });

  it('ask about a column that another one may need, which is used or left out by a button', async () => {
    await using file = await opened(['First name,N.º AMI,Validade', 'Ana,AMI-1,2031-12-31']);
    const { page } = file;
    const decision = page.getByRole('region', { name: '1 column needs a decision' });
    await decision.getByText('Licence number?').waitFor();
    await decision.getByText('Validade needs a licence number.').waitFor();
    await page.getByText('Until you decide, N.º AMI is left out.').waitFor();
    await good(page);
    await decision.getByRole('button', { name: 'Use as licence number' }).click();
    await decision.waitFor({ state: 'detached' });
    const number = page.getByRole('combobox', { name: 'N.º AMI' });
    await expect.poll(() => number.inputValue()).toBe('Licence number');
    await number.locator('..').getByRole('button', { name: 'Clear' }).click();
    await decision.getByText('Validade needs a licence number.').waitFor();
    await decision.getByRole('button', { name: 'Leave out' }).click();
    await decision.waitFor({ state: 'detached' });
    await page.getByText('2 columns are left out').waitFor();
  });

  it('show of whole names how they are split', async () => {
    await using file = await opened([
      'Full name,E-mail',
      '"DOE, JANE M",jane@split.example',
      'Rui da Silva,',
    ]);
    const { page } = file;
    const names = page.getByRole('list', { name: 'How names are split' }).getByRole('listitem');
    expect(await names.allTextContents()).toEqual([
      'DOE, JANE M → First name: JANE · Middle name: M · Last name: DOE',
      'Rui da Silva → First name: Rui · Last name: da Silva',
    ]);
    expect(await page.getByText('No column sets').count()).toBe(0);
    await good(page);
  });

  it('with days that can be read two ways are checked only after their format is chosen, and keep it', async () => {
    await using file = await opened([
      'First name,Last name,E-mail,License #,Expires',
      'Ana,Dois,ana@days.example,A1,03/04/2031',
    ]);
    const { page } = file;
    const format = page.getByRole('combobox', { name: 'Dates' });
    await page.getByText('These dates can be read two ways. Choose how they are written.').waitFor();
    expect(await format.textContent()).toBe('Choose …');
    expect(await checkButton(page).isDisabled()).toBe(true);
    await good(page);
    await chooseOption(format, /^Month, day, year/);
    await format.getByText('4 Mar 2031').waitFor();
    await checkButton(page).click();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Import complete').waitFor();
    const found = await scene.server.request('GET', '/agents?email=ana@days.example');
    const { items } = (await found.json()) as { items: { id: string }[] };
    expect(await readRecord(scene.server, 'agents', items[0]?.id ?? '')).toMatchObject({
      licenses: [{ expiresOn: '2031-03-04' }],
    });
  });

  it('with days of which some contradict the others are checked only after their format is chosen', async () => {
    await using file = await opened([
      'First name,Last name,License #,Expires',
      'Ana,Dois,A1,31/12/2031',
      'Rui,Dois,A2,12/31/2031',
    ]);
    const { page } = file;
    await page.getByText('Some of these dates are day first and others month first.').waitFor();
    expect(await checkButton(page).isDisabled()).toBe(true);
    await chooseOption(page.getByRole('combobox', { name: 'Dates' }), /^Day, month, year/);
    await checkButton(page).click();
    await page.getByText('1 row needs a correction').waitFor();
  });

  it('are of a file that the button offers by its name or its type, in the format of its content', async () => {
    await using file = await opened(['{"firstName":"Ana","lastName":"Reis"}'], { name: 'staff.txt' });
    const { page } = file;
    await page.getByText('How the file is read').click();
    expect(await page.getByRole('combobox', { name: 'Format' }).textContent()).toBe('NDJSON');
    await page.getByRole('link', { name: 'Imports', exact: true }).click();
    const accepted = await page.locator('input[type=file]').getAttribute('accept');
    expect(accepted?.split(',')).toEqual(
      expect.arrayContaining([
        '.csv',
        '.tsv',
        '.txt',
        '.ndjson',
        '.jsonl',
        '.xlsx',
        'text/csv',
        'text/plain',
      ]),
    );
  });

  it('are of the sheet of a workbook that has any rows, or of the one that is chosen', async () => {
    const [workbook] = fileCases().filter(({ name }) => name === 'excel-workbook.xlsx');
    await using scened = await scene.open('/imports', { as: 'manager' });
    const { page } = scened;
    await page.locator('input[type=file]').setInputFiles(workbook?.path ?? '');
    await page.getByText('The column names are in row 3.').waitFor();
    const sheet = page.getByRole('combobox', { name: 'Sheet' });
    expect(await sheet.textContent()).toBe('Staff');
    expect(await page.getByRole('combobox', { name: 'Encoding' }).count()).toBe(0);
    await good(page);
    await chooseOption(sheet, 'Left');
    await page.getByText('Timer').first().waitFor();
    expect(await sheet.textContent()).toBe('Left');
    await chooseOption(sheet, 'Cover');
    await page.getByRole('alert').filter({ hasText: 'The sheet "Cover" is empty.' }).waitFor();
    expect(await sheet.textContent()).toBe('Left');
    await checkButton(page).click();
    await page.getByText('The row can be imported').waitFor();
  });

  it('of a workbook that cannot be read are not shown, but how to save its sheet as CSV', async () => {
    await using scened = await scene.open('/imports', { as: 'manager' });
    const { page } = scened;
    const buffer = Buffer.from('PK\u0003\u0004 something else');
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'staff.numbers', mimeType: 'application/octet-stream', buffer });
    await page.getByRole('alert').filter({ hasText: 'Numbers: File, Export To, CSV' }).waitFor();
  });

  it('are described in Portuguese', async () => {
    await using file = await opened(['Equipa', 'Nome completo,Cognome', 'Ana Reis,x'], { locale: 'pt-PT' });
    const { page } = file;
    await page.getByText('Os nomes das colunas estão na linha 2. A linha acima é ignorada.').waitFor();
    await page.getByRole('list', { name: 'Como os nomes são separados' }).waitFor();
  });
});
