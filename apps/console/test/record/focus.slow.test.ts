import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAgent, createRecord } from '../support/directory.ts';
import { focused, hasBrowser, press, useConsole } from '../support/index.ts';

describe.skipIf(!hasBrowser)('the button of a menu', () => {
  const scene = useConsole({
    seed: async (server) => void (await createRecord(server, 'offices', { name: 'Casa Nova' })),
  });
  const open = async (page: Page, menu: string, item: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click();
    await page.getByRole('menuitem', { name: item, exact: true }).click();
    await page.getByRole('dialog').waitFor();
  };
  const more = 'button "More actions"';

  it('has the focus again when the dialog of an item is closed, and when what it asked for is done', async () => {
    const { id } = await createAgent(scene.server, 'Focused');
    await using opened = await scene.open(`/agents/${id}`);
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    for (const item of ['Deactivate …', 'Transfer …', 'Delete …']) {
      await open(page, 'More actions', item);
      await press(page, 'Escape');
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page), { message: item }).toBe(more);
    }
    await open(page, 'More actions', 'Transfer …');
    await dialog.getByRole('combobox', { name: 'New office' }).fill('Casa Nova');
    await page.getByRole('option', { name: /Casa Nova/ }).click();
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await page.getByText(`was transferred to Casa Nova`).waitFor();
    await expect.poll(() => focused(page)).toBe(more);
    await open(page, 'More actions', 'Deactivate …');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByRole('menuitem').waitFor({ state: 'detached' });
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focused(page)).toBe(more);
  });

  it('has the focus again in a record that a search has found, when the change is scheduled', async () => {
    await createAgent(scene.server, 'Sought');
    await using opened = await scene.open('/agents');
    const { page } = opened;
    const dialog = page.getByRole('dialog');
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('Sought');
    await page
      .getByRole('grid')
      .getByRole('link', { name: /Sought/ })
      .click();
    const inAMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
    for (const end of ['Escape', 'Transfer']) {
      await open(page, 'More actions', 'Transfer …');
      await dialog.getByRole('combobox', { name: 'New office' }).fill('Casa Nova');
      await page.getByRole('option', { name: /Casa Nova/ }).click();
      await dialog.getByRole('radio', { name: 'On a date' }).check();
      await dialog.getByRole('combobox', { name: 'Date', exact: true }).fill(inAMonth);
      if (end === 'Escape') await press(page, 'Escape');
      else await dialog.getByRole('button', { name: 'Transfer' }).click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page), { message: end }).toBe(more);
    }
  });

  it('has the focus again when a filter is applied or not', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    await open(page, 'Add a filter', 'Status');
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('button "Add a filter"');
    await open(page, 'Add a filter', 'Status');
    await page.getByRole('checkbox', { name: 'Active', exact: true }).check();
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toMatch(/^button "Status/);
    await open(page, 'More', 'Export…');
    await press(page, 'Escape');
    await expect.poll(() => focused(page)).toBe('button "More"');
  });
});

describe.skipIf(!hasBrowser)('a field with the focus', () => {
  const scene = useConsole();

  it('is not under the buttons at the end of its form, reached by Tab or by a click', async () => {
    await using opened = await scene.open('/agents/new');
    const { page } = opened;
    await page.setViewportSize({ width: 1_280, height: 600 });
    const save = page.getByRole('button', { name: 'Create', exact: true });
    await save.waitFor();
    const isCovered = () =>
      page.evaluate(() => {
        const { activeElement: field } = document;
        const bar = document.querySelector('form .sticky.bottom-0');
        if (!field || !bar?.closest('form')?.contains(field) || bar.contains(field)) return false;
        return field.getBoundingClientRect().bottom > bar.getBoundingClientRect().top;
      });
    for (let stop = 0; stop < 60; stop += 1) {
      await press(page, 'Tab');
      expect(await isCovered(), await focused(page)).toBe(false);
    }
    await page.evaluate(() => document.querySelector('form')?.closest('.overflow-y-auto')?.scrollTo(0, 0));
    // The last of the fields that are half above the bar.
    const y = await save.evaluate((one) => one.getBoundingClientRect().top - 12);
    const covered = await page.evaluate((edge) => {
      const fields = [
        ...document.querySelectorAll<HTMLElement>('form input:not([type=checkbox]), form textarea'),
      ];
      const found = fields.find((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top < edge && bottom > edge;
      });
      const { left = 0, top = 0 } = found?.getBoundingClientRect() ?? {};
      return found === undefined ? undefined : { x: left + 20, y: top + 3 };
    }, y);
    if (covered !== undefined) {
      await page.mouse.click(covered.x, covered.y);
      await expect.poll(isCovered).toBe(false);
    }
  });
});
