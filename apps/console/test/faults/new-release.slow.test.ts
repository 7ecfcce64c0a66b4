import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '../support/directory.ts';
import {
  copyRelease,
  expectAccessible,
  findSharedBrowser,
  hasBrowser,
  openConsole,
  seedOffices,
  startService,
  unfoldOperations,
} from '../support/index.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Release = Awaited<ReturnType<typeof copyRelease>>;

describe.skipIf(!hasBrowser)('parts of the page that are not there', () => {
  let release: Release;
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    release = await copyRelease();
    [service, browser] = await Promise.all([
      startService({ consoleDirectory: release.directory }),
      findSharedBrowser(),
    ]);
    await seedOffices(service.server, 5);
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await release?.[Symbol.asyncDispose]();
  });

  it('when the service is away, the view says so, and is there when the service is back', async () => {
    await using opened = await openConsole(browser, service, { path: '/offices' });
    const { page, faults } = opened;
    faults.expect(/ERR_|Failed to load resource|status of|A part of the page|dynamically imported/);
    await page.getByText('Office 000001').waitFor();
    await unfoldOperations(page);
    await service.stop();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText("Can't reach the server", { exact: true }).waitFor();
    await service.start();
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
  });

  it('when one is missing for good, the page is loaded again once and then says so', async () => {
    await service.start();
    await using opened = await openConsole(browser, service, { path: '/offices' });
    const { page, faults } = opened;
    faults.expect(/ERR_|Failed to load resource|A part of the page|dynamically imported/);
    await page.getByText('Office 000001').waitFor();
    await unfoldOperations(page);
    let asked = 0;
    await page.route(/\/assets\/webhooks-screen-/, (route) => {
      asked += 1;
      return route.abort();
    });
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('A part of the page could not be loaded.').waitFor();
    await expectAccessible(page);
    expect(asked).toBe(2);
  });

  it('when a newer release has replaced the page, it says so and is that release at the same view', async () => {
    await service.start();
    await using opened = await openConsole(browser, service, { path: '/offices' });
    const { page, faults } = opened;
    faults.expect(/status of 404|A part of the page|dynamically imported/);
    await page.getByText('Office 000001').waitFor();
    await unfoldOperations(page);
    await release.replace();
    const reloaded = page.waitForEvent('load');
    const told = page.getByText('Reloading the page').waitFor();
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await told;
    await reloaded;
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/webhooks');
    await page.getByRole('button', { name: 'Create a webhook' }).waitFor();
    const entry = await page.locator('script[type="module"]').first().getAttribute('src');
    expect(entry).toContain('/next-');
    await expectAccessible(page);
  });

  it('what was typed is there in the newer release', async () => {
    await service.start();
    const agent = await createAgent(service.server, 'Released', { phone: '+351210000001' });
    const path = `/agents/${agent.id}/edit`;
    await using opened = await openConsole(browser, service, { path });
    const { page, faults } = opened;
    faults.expect(/status of 404|A part of the page|dynamically imported/);
    const field = page.getByLabel('Phone', { exact: true });
    await field.fill('typed');
    await unfoldOperations(page);
    await release.replace();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    const entry = await page.locator('script[type="module"]').first().getAttribute('src');
    expect(entry).toContain('/next-next-');
    await page.goto(`${service.url}/console${path}`);
    await expect.poll(() => field.inputValue()).toBe('typed');
  });
});
