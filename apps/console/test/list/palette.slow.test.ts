import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  hasBrowser,
  press,
  seedAgents,
  seedOffices,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the command palette', () => {
  const scene = useConsole({
    seed: async (server) => seedAgents(server, 5, { officeIds: await seedOffices(server, 12) }),
  });

  it('opens a record by a part of its name, by keyboard alone, and offers it again', async () => {
    await using opened = await scene.open('/agents', { isKeyboardOnly: true });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await press(page, 'Control+k');
    const field = page.getByRole('combobox', { name: 'Search for views, records and actions' });
    await field.waitFor();
    await expectAccessible(page);
    await page.keyboard.type('office 000007');
    await page.getByRole('option', { name: /Office 000007/ }).waitFor();
    await expectAccessible(page);
    await press(page, 'Enter');
    await page.waitForURL(/\/console\/offices\/[\da-f-]{36}/);
    await page.getByRole('heading', { name: 'Office 000007' }).waitFor();
    await press(page, 'Control+k');
    await page.getByRole('group', { name: 'Recently open' }).getByText('Office 000007').waitFor();
    await press(page, 'Escape');
    await field.waitFor({ state: 'detached' });
  });

  it('goes to views and runs actions, and says when it has found nothing', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    const field = page.getByRole('combobox', { name: 'Search for views, records and actions' });
    await page.getByRole('button', { name: 'Search or go to' }).click();
    await field.waitFor();
    await page.keyboard.type('home');
    await press(page, 'Enter');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await press(page, 'Control+k');
    await field.waitFor();
    await page.keyboard.type('dark');
    await page.getByRole('option', { name: 'Use the dark theme' }).click();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await press(page, 'Control+k');
    await field.waitFor();
    await page.keyboard.type('no such thing at all');
    await page.getByText('No results').waitFor();
  });

  it('offers only what the caller may do', async () => {
    await using opened = await scene.open('/agents', { as: 'viewer' });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Agents' }).waitFor();
    await press(page, 'Control+k');
    await page.getByRole('option', { name: /Activity/ }).waitFor();
    const options = await page.getByRole('option').allTextContents();
    for (const hidden of ['API keys', 'People', 'New agent', 'New office'])
      expect(options.filter((option) => option.startsWith(hidden))).toEqual([]);
  });
});
