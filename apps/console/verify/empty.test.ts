import { resourceNames } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { expectAccessible, hasBrowser, useConsole } from './support/index.ts';

describe.skipIf(!hasBrowser)('a directory without records', () => {
  const scene = useConsole();

  it('says in each list what it is for, and offers a file or the first record to those who may write', async () => {
    for (const resource of resourceNames) {
      await using opened = await scene.open(`/${resource}`, { as: 'editor' });
      const { page } = opened;
      await page.getByRole('heading', { name: 'There are no records yet' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: /^Create the first/ }).click();
      await page.waitForURL(new RegExp(`/console/${resource}/new`));
      await page.goBack();
      await page.getByRole('link', { name: 'Import a file' }).click();
      await page.waitForURL(/\/console\/imports/);
    }
  });

  it('offers nothing to someone who only reads', async () => {
    await using opened = await scene.open('/agents', { as: 'viewer' });
    const { page } = opened;
    await page.getByRole('heading', { name: 'There are no records yet' }).waitFor();
    expect(await page.getByRole('link', { name: /^(Import a file|Create the first)/ }).count()).toBe(0);
  });

  it('has an overview of numbers alone, without charts of nothing', async () => {
    await using opened = await scene.open('/overview');
    const { page } = opened;
    await page.getByText('Active offices').waitFor();
    expect(await page.getByRole('figure').count()).toBe(0);
    expect(await page.locator('main svg').count()).toBe(0);
    await expectAccessible(page);
  });
});
