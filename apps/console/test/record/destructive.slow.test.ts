import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { createAgent, createRecord } from '../support/directory.ts';
import { expectAccessible, hasBrowser, seedAgents, useConsole } from '../support/index.ts';

/** The names of controls that destroy, deactivate or end something, or lead to it. */
const DESTRUCTIVE = /^(?:Delete|Deactivate|Revoke|Discard|End|Remove$|Cancel (?:the|this) change)/;

/** The controls with such a name that have not the colour of danger, as text or as surface. */
const uncoloured = (page: Page) =>
  page.evaluate((pattern) => {
    const probe = document.body.appendChild(document.createElement('span'));
    probe.style.color = 'var(--color-danger)';
    const danger = getComputedStyle(probe).color;
    probe.remove();
    const controls = [
      ...document.querySelectorAll<HTMLElement>('button:not([role=combobox]), [role=menuitem]'),
    ];
    const found = controls.filter((one) => new RegExp(pattern).test(one.textContent?.trim() ?? ''));
    const others = found.filter((one) => {
      const { color, backgroundColor } = getComputedStyle(one);
      return color !== danger && backgroundColor !== danger;
    });
    return { found: found.length, others: others.map((one) => one.textContent) };
  }, DESTRUCTIVE.source);

describe.skipIf(!hasBrowser)('what destroys or deactivates', () => {
  const scene = useConsole();

  it('looks so on every screen that has it', async () => {
    const { server } = scene;
    const agent = await createAgent(server, 'Destroyed');
    const effectiveAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const scheduled = await server.request('PUT', `/agents/${agent.id}/deactivate`, { effectiveAt });
    expect(scheduled.status).toBe(200);
    await server.request('POST', '/keys', { name: 'Website', scopes: ['agents:read'] });
    await using opened = await scene.open(`/agents/${agent.id}/edit`);
    const { page } = opened;
    /** Checks what is shown, which has so many of these controls. */
    const check = async (view: string, count: number) => {
      await expect
        .poll(async () => (await uncoloured(page)).found, { message: view })
        .toBeGreaterThanOrEqual(count);
      expect(await uncoloured(page), view).toMatchObject({ others: [] });
    };
    await page.getByLabel('Phone', { exact: true }).fill('+351210000009');
    // What one types is kept as a draft, and `Cancel` can be undone: the form itself destroys nothing.
    await page.getByRole('button', { name: 'Close, keep draft' }).waitFor();
    await page.reload();
    await page
      .getByText(/^Unsaved draft from/)
      .first()
      .waitFor();
    await check('a draft', 1);
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByText('Not saved: Phone').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate …' }).waitFor();
    // The draft and two actions.
    await check('a record', 3);
    await page.getByRole('menuitem', { name: 'Deactivate …' }).click();
    await page.getByRole('dialog').waitFor();
    await check('its dialog', 1);
    await page.goto(`${server.url}/console/keys`);
    await page.getByRole('table').getByRole('link', { name: 'Website' }).click();
    await check('/keys', 1);
    await page.goto(`${server.url}/console/settings`);
    await check('/settings', 1);
  });

  it('says how many it is about before and after, and the message moves nothing of the list', async () => {
    await createRecord(scene.server, 'offices', { name: 'Counted' });
    await seedAgents(scene.server, 60, { lastName: 'Counted' });
    await using opened = await scene.open('/agents?q=Counted');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Agents 60' }).waitFor();
    const grid = page.getByRole('grid');
    await grid.getByRole('checkbox').first().click();
    await page.getByText('60 selected', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate 60 records' }).waitFor();
    expect(await uncoloured(page)).toMatchObject({ others: [] });
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Clear selection' }).click();
    // A message floats: the list is as high as before.
    const first = grid.getByRole('link').first();
    await first.click();
    await page.getByRole('button', { name: 'Edit: Contact' }).click();
    await page.getByLabel('Phone', { exact: true }).fill('+351210000003');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    await page.getByRole('link', { name: 'Back to the list' }).click();
    const bottomOf = () => grid.evaluate((one) => one.getBoundingClientRect().bottom);
    const message = page.getByRole('group').filter({ has: undo });
    await expect.poll(async () => windowHeight(page) - (await bottomOf())).toBeLessThan(12);
    await message.getByRole('button', { name: 'Dismiss' }).click();
  });
});

const windowHeight = (page: Page) => page.viewportSize()?.height ?? 0;
