import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAgent, readRecord } from '../support/directory.ts';
import { chooseOption, expectAccessible, expectNarrow, hasBrowser, useConsole } from '../support/index.ts';

/** The choices of what values mean, beside the columns. */
const values = (page: Page) => page.getByRole('complementary', { name: 'How values are read' });

describe.skipIf(!hasBrowser)('an empty cell of an imported file', () => {
  const scene = useConsole();

  /** Opens an import of pasted rows about an agent, of whom the file says nothing but the name. */
  async function opened(lastName: string) {
    const email = `${lastName.toLowerCase()}@empty.example`;
    const known = { email, phone: '+351213000123', title: 'Consultant' };
    const agent = await createAgent(scene.server, lastName, known);
    const page = await scene.open('/imports', { as: 'manager' });
    await page.page.getByRole('button', { name: 'Paste rows' }).click();
    const rows = `First name\tSurname\tE-mail\tPhone\tJob title\nAna\t${lastName}\t${email}\t\t`;
    await page.page.getByRole('textbox', { name: 'Rows with a header' }).fill(rows);
    await page.page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    const read = () => readRecord(scene.server, 'agents', agent.id);
    return { ...page, read, known, [Symbol.asyncDispose]: () => page[Symbol.asyncDispose]() };
  }

  it('leaves the field as it is, unless one says otherwise', async () => {
    await using kept = await opened('Kept');
    const { page } = kept;
    expect(await values(page).getByRole('radio', { name: 'Keep what the record has' }).isChecked()).toBe(
      true,
    );
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('Everything in this file is already up to date').waitFor();
    expect(await kept.read()).toMatchObject(kept.known);
  });

  it('clears the field that one says, after it is said which and how many, and accepted', async () => {
    await using cleared = await opened('Cleared');
    const { page } = cleared;
    await values(page).getByRole('radio', { name: 'Clear what the record has' }).check();
    await values(page).getByText('By column').click();
    await chooseOption(values(page).getByRole('combobox', { name: 'Job title' }), 'Keep what the record has');
    await page.getByRole('button', { name: 'Check all rows' }).click();
    const warning = page.getByRole('region', { name: '1 row clears fields of a record' });
    await warning.getByText('would clear these fields: Phone (1)').waitFor();
    await expectAccessible(page);
    // Nothing is written unless it is accepted.
    expect(await page.getByRole('button', { name: /^Import/ }).count()).toBe(0);
    await warning.getByRole('checkbox', { name: 'Allow clearing' }).check();
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Import complete').waitFor();
    expect(await cleared.read()).toMatchObject({ ...cleared.known, phone: null });
  });
});
