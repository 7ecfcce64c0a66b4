import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { activate, expectAccessible, hasBrowser, tabTo, useConsole } from './support/index.ts';

const samples = join(import.meta.dirname, '../../../samples');

/** Chooses a file by the button of the drop zone, without a pointer. */
async function chooseByKeyboard(page: Page, files: Parameters<Page['setInputFiles']>[1]): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await activate(page, page.getByRole('button', { name: 'Choose a file' }));
  await (await chooser).setFiles(files);
}

describe.skipIf(!hasBrowser)('an import', () => {
  const scene = useConsole();
  const countOf = async (resource: string, query = '') => {
    const response = await scene.server.request('GET', `/${resource}?includeTotal=true&limit=1${query}`);
    return ((await response.json()) as { total: number }).total;
  };

  it('of the samples takes a person with a keyboard and no manual, and is undone by one button', async () => {
    await using opened = await scene.open('/imports', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Imports' }).waitFor();
    await expectAccessible(page);
    for (const [name, count] of [
      ['offices', 50],
      ['agents', 300],
    ] as const) {
      await tabTo(page, page.getByRole('link', { name: 'Imports' }));
      await page.keyboard.press('Enter');
      await chooseByKeyboard(page, join(samples, `${name}.csv`));
      await page.getByRole('button', { name: 'Continue to the columns' }).waitFor();
      await expectAccessible(page);
      await activate(page, page.getByRole('button', { name: 'Continue to the columns' }));
      await page.getByRole('button', { name: 'Check all rows' }).waitFor();
      await expectAccessible(page);
      await activate(page, page.getByRole('button', { name: 'Check all rows' }));
      await page.getByText(`All ${count} rows can be imported`).waitFor();
      await expectAccessible(page);
      expect(await countOf(name)).toBe(0);
      await activate(page, page.getByRole('button', { name: `Import ${count} rows` }));
      await page.getByText('The import is complete').waitFor();
      await expectAccessible(page);
      expect(await countOf(name)).toBe(count);
    }
    await activate(page, page.getByRole('button', { name: 'Undo all' }));
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Undo all' }));
    await page.getByText('The import is undone').first().waitFor();
    await expectAccessible(page);
    expect(await countOf('agents')).toBe(0);
    expect(await countOf('offices')).toBe(50);
  }, 120_000);
});
