import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAgent, createRecord } from '../support/directory.ts';
import { expectAccessible, hasBrowser, press, tabTo, useConsole } from '../support/index.ts';

const tooltip = (page: Page) => page.getByRole('tooltip');

/** What assistive technology says of the element with the focus: its name and its description. */
async function announced(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  const { result } = await cdp.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await cdp.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  });
  return { name: nodes[0]?.name?.value, description: nodes[0]?.description?.value ?? '' };
}

describe.skipIf(!hasBrowser)('a tooltip', () => {
  const scene = useConsole();

  it('is shown at once by the focus of the keyboard, said once as the name, and hidden by Escape', async () => {
    await using opened = await scene.open('/offices', { isKeyboardOnly: true });
    const { page } = opened;
    await tabTo(page, page.getByRole('button', { name: 'Columns' }));
    await tooltip(page).getByText('Columns', { exact: true }).waitFor();
    expect(await announced(page)).toEqual({ name: 'Columns', description: '' });
    await expectAccessible(page);
    await press(page, 'Escape');
    await tooltip(page).waitFor({ state: 'detached' });
    await press(page, 'Shift+Tab');
    await tooltip(page).getByText('Sort', { exact: true }).waitFor();
    await press(page, 'Tab');
    await tooltip(page).getByText('Columns', { exact: true }).waitFor();
  });

  it('of a text that says more describes it', async () => {
    const agent = await createAgent(scene.server, 'Explained');
    await using opened = await scene.open(`/agents/${agent.id}`, { isKeyboardOnly: true });
    const { page } = opened;
    const changed = page.locator('time[tabindex="0"]').last();
    await tabTo(page, changed);
    await tooltip(page).waitFor();
    const exact = await tooltip(page).textContent();
    expect(exact).toMatch(/\d:\d\d:\d\d/);
    expect((await announced(page)).description).toBe(exact);
    await expectAccessible(page);
  });

  it('has the whole of a text that is cut, for the keyboard and the pointer', async () => {
    const name = `Imobiliária ${'do Bairro Alto '.repeat(12)}`.trim();
    const office = await createRecord(scene.server, 'offices', {
      name,
      email: `${'a'.repeat(60)}@example.com`,
    });
    await using opened = await scene.open('/offices', {
      browser: { viewport: { width: 1280, height: 800 } },
    });
    const { page } = opened;
    await page.getByRole('link', { name }).focus();
    await press(page, 'ArrowLeft', 'ArrowRight');
    await tooltip(page).getByText(name, { exact: true }).waitFor();
    await press(page, 'Escape');
    await page.getByRole('gridcell', { name: String(office.email) }).hover();
    await tooltip(page).getByText(String(office.email), { exact: true }).waitFor();
    await page.getByRole('searchbox').hover();
    await tooltip(page).waitFor({ state: 'detached' });
  });

  it('is shown by no finger, and closes with the dialog around it by one Escape', async () => {
    await using opened = await scene.open('/offices', { browser: { hasTouch: true } });
    const { page } = opened;
    await page.getByRole('button', { name: 'Columns' }).tap();
    const columns = page.getByRole('dialog', { name: 'Columns' });
    await columns.waitFor();
    await page.clock.install();
    await columns.getByRole('button', { name: /^Move Phone/ }).tap();
    await page.clock.runFor(5_000);
    expect(await tooltip(page).count()).toBe(0);
    await page.clock.resume();
    await press(page, 'Escape');
    await columns.waitFor({ state: 'detached' });
    await press(page, '?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.waitFor();
    await tabTo(page, dialog.getByRole('button', { name: 'Close' }), 'Shift+Tab');
    await tooltip(page).getByText('Close', { exact: true }).waitFor();
    await expectAccessible(page, '[role=dialog]');
    await press(page, 'Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await tooltip(page).allTextContents()).not.toContain('Close');
  });
});
