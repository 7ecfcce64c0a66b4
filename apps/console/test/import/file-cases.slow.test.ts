import { type FileCase, fileCases, fileReport, seedFileCases } from '@roster/server/testing/file-cases';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chooseOption, hasBrowser, useConsole } from '../support/index.ts';

const cases = fileCases();

const dateFormats: Readonly<Record<string, RegExp>> = {
  'day-first': /^Day, month, year/,
  'month-first': /^Month, day, year/,
};
const countryNames = new Intl.DisplayNames('en-GB', { type: 'region' });
const resourceLabels = { agents: 'Agents', offices: 'Offices', teams: 'Teams' };

/** Says of a file that was chosen what its case says. */
async function sayOptions(page: Page, { options }: FileCase): Promise<void> {
  const { encoding, sourceName, mapping: { dates = {}, phoneCountry } = {} } = options;
  const aside = page.getByRole('complementary', { name: 'How values are read' });
  if (encoding !== undefined) {
    await page.getByText('How the file is read').click();
    await chooseOption(page.getByRole('combobox', { name: 'Encoding' }), encoding);
  }
  for (const [column, format] of Object.entries(dates)) {
    const only = aside.getByRole('combobox', { name: 'Dates', exact: true });
    const one = aside.getByRole('combobox', { name: `Dates: ${column}`, exact: true });
    await chooseOption(only.or(one), dateFormats[format] ?? format);
  }
  if (phoneCountry !== undefined)
    await chooseOption(
      page.getByLabel('Country of phone numbers'),
      countryNames.of(phoneCountry) ?? phoneCountry,
    );
  if (sourceName === undefined) return;
  if (encoding === undefined) await page.getByText('How the file is read').click();
  await page.getByRole('textbox', { name: 'Name of the system' }).fill(sourceName);
}

/** Writes the rows of an import without errors, those with warnings too. */
async function importRows(page: Page, { report: { warnings, records } }: FileCase): Promise<void> {
  if (warnings.damaged !== undefined)
    await page.getByRole('checkbox', { name: 'Import these values' }).click();
  if (records.length === 0) return;
  await page.getByRole('button', { name: /^Import \d/ }).click();
  await page.getByText(/^(Import complete|[\d,]+ rows? imported)/).waitFor();
}

describe.skipIf(!hasBrowser)('a file of a program, a register or a spreadsheet', () => {
  const scene = useConsole({ seed: (server) => seedFileCases(server, cases) });

  it.each(cases)('is imported in the console with the expected records: $name', async (one) => {
    const { name, path, resource, dateDoubts, problem, report } = one;
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    if (problem !== undefined) opened.faults.expect(/status of 422/);
    await page.locator('input[type=file]').setInputFiles(path);
    if (problem !== undefined) {
      await page.getByRole('alert').filter({ hasText: problem.advice }).waitFor();
      return;
    }
    await page.getByRole('heading', { name }).waitFor();
    await page.getByText(new RegExp(`^${resourceLabels[resource]} · `)).waitFor();
    const check = page.getByRole('button', { name: 'Check all rows' });
    if (Object.keys(dateDoubts).length > 0) expect(await check.isDisabled()).toBe(true);
    await sayOptions(page, one);
    await check.click();
    await page.getByText('Nothing has been saved yet.').waitFor();
    await importRows(page, one);
    const [, id = ''] = /([^/]+)$/.exec(new URL(page.url()).pathname) ?? [];
    expect(await fileReport(scene.server, id)).toEqual(report);
  });
});
