import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  focused,
  hasBrowser,
  press,
  seedAgents,
  seedOffices,
  spreadOverMonths,
  tabTo,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the overview', () => {
  const scene = useConsole({
    seed: async (server) => {
      const [main, branch] = await seedOffices(server, 2);
      await server.request('PATCH', `/offices/${branch}`, { mainOfficeId: main });
      await seedAgents(server, 12, { officeIds: [main as string, branch as string] });
      await spreadOverMonths(server, 2);
    },
  });

  it('is accessible in both themes, and on the narrowest screen', async () => {
    await using opened = await scene.open('/overview', {
      browser: { viewport: { width: 320, height: 800 } },
    });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Joining and leaving' }).waitFor();
    await page.getByRole('link', { name: 'Office 000001' }).waitFor();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  it('says the values of its charts to a keyboard, and has each as a table', async () => {
    await using opened = await scene.open('/overview', { isKeyboardOnly: true });
    const { page } = opened;
    const chart = page.locator('svg', { has: page.locator('title', { hasText: 'Active agents over time' }) });
    await chart.waitFor();
    await tabTo(page, chart.getByRole('img').last());
    expect(await focused(page)).toMatch(/: 12 agents/);
    await press(page, 'ArrowLeft');
    expect(await focused(page)).toMatch(/: 6 agents/);
    await tabTo(page, page.getByRole('button', { name: 'Joining and leaving: as a table' }));
    await press(page, 'Enter');
    const table = page.getByRole('region', { name: 'Joining and leaving' }).getByRole('table');
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBe(13);
    await expectAccessible(page);
  });

  it('adds up the branches of a main office, and opens them', async () => {
    await using opened = await scene.open('/overview');
    const { page } = opened;
    const offices = page.getByRole('region', { name: 'Active agents by office' });
    await offices.getByRole('button', { name: 'Open Office 000001' }).click();
    await offices.getByRole('link', { name: 'Office 000002' }).waitFor();
    await expect.poll(() => offices.getByRole('listitem').first().textContent()).toMatch(/12$/);
    await offices.getByRole('link', { name: 'Office 000002' }).click();
    await page.waitForURL(/\/agents\?.*officeId=/);
  });

  it('says that it has the offices with the most agents if there are more, and how many lines are left', async () => {
    await using opened = await scene.open('/settings');
    const { page } = opened;
    await page.route('**/trpc/stats.get*', async (route) => {
      const response = await route.fetch();
      const [outcome, ...others] = await response.json();
      outcome.result.data.agents.byOffice = Array.from({ length: 100 }, (_, index) => ({
        officeId: randomUUID(),
        name: `Largest ${index}`,
        active: 200 - index,
        inactive: 0,
      }));
      await route.fulfill({ response, json: [outcome, ...others] });
    });
    await page.getByRole('link', { name: 'Overview' }).click();
    const offices = page.getByRole('region', { name: 'Active agents by office' });
    await offices.getByText('The 100 offices with the most agents').waitFor();
    await offices.getByRole('button', { name: 'Show 88 more' }).click();
    await expect.poll(() => offices.getByRole('listitem').count()).toBe(100);
  });

  it('waits for the first count of a large directory', async () => {
    await using opened = await scene.open('/settings');
    const { page, faults } = opened;
    faults.expect(/status of 503/);
    const problem = { code: 'unavailable', status: 503, title: 'Unavailable', detail: 'Not counted yet.' };
    await page.route('**/trpc/stats.get*', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'Retry-After': '1' },
        contentType: 'application/json',
        body: JSON.stringify([{ error: { message: problem.detail, code: -32603, data: { problem } } }]),
      }),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Counting records').waitFor();
    await page.unroute('**/trpc/stats.get*');
    await page.getByRole('heading', { name: 'Joining and leaving' }).waitFor();
  });
});
