import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAgent, readRecord } from '../support/directory.ts';
import {
  expectAccessible,
  findSharedBrowser,
  hasBrowser,
  openConsole,
  seedOffices,
  startService,
  unfoldOperations,
} from '../support/index.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const phone = 'Phone';

describe.skipIf(!hasBrowser)('an open page', () => {
  let service: Service;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), findSharedBrowser()]);
    await seedOffices(service.server, 5);
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
  });

  it('says that the service is away, and shows what was changed meanwhile when it is back, without being loaded again', async () => {
    await using opened = await openConsole(browser, service, { path: '/offices' });
    const { page, faults } = opened;
    faults.expect(/ERR_|Failed to load resource/);
    await page.getByRole('gridcell', { name: 'Office 000001', exact: true }).waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    // What follows the changes of a list is loaded after its rows; a browser does not ask again for a part that it could not fetch.
    await page.getByRole('status').filter({ hasText: '5 records' }).waitFor();
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    await service.stop();
    await page.getByText('Reconnecting…').first().waitFor();
    await service.start();
    const { server } = service;
    const { items } = (await (await server.request('GET', '/offices?q=Office%20000001')).json()) as {
      items: { id: string }[];
    };
    const renamed = await server.request('PATCH', `/offices/${items[0]?.id}`, {
      name: 'Office 000001, renamed',
    });
    expect(renamed.status).toBe(200);
    await page.getByRole('gridcell', { name: 'Office 000001, renamed', exact: true }).waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  });

  it('says on every screen that a service hangs which accepts and does not respond, keeps what it shows, and reads it again', async () => {
    await using opened = await openConsole(browser, service, { path: '/offices' });
    const { page, faults } = opened;
    faults.expect(/ERR_|Failed to load resource/);
    await unfoldOperations(page);
    const paths = ['/agents', '/home', '/activity', '/webhooks', '/jobs', '/offices'];
    for (const path of paths) {
      await page.locator(`a[href="/console${path}"]`).first().click();
      await page.locator('main').getByRole('heading').first().waitFor();
    }
    await page.getByRole('gridcell', { name: 'Office 000002', exact: true }).waitFor();
    service.stall();
    // Nobody does anything: the page finds out by itself.
    const banner = page.getByText(/^Can't reach the server\. Showing data from/);
    await banner.waitFor();
    for (const path of paths) {
      await page.locator(`a[href="/console${path}"]`).first().click();
      await expect.poll(() => new URL(page.url()).pathname).toBe(`/console${path}`);
      expect(await banner.count()).toBe(1);
      expect(await page.getByText(new RegExp(new URL(service.url).port)).count()).toBe(0);
    }
    await page.getByRole('gridcell', { name: 'Office 000002', exact: true }).waitFor();
    await expectAccessible(page);
    await service.mend();
    await banner.waitFor({ state: 'detached' });
  });

  it('says within ten seconds that nothing is answered, though nobody asks for anything', async () => {
    await using opened = await openConsole(browser, service, {
      path: '/settings',
      prepare: (page) => page.clock.install(),
    });
    const { page, faults } = opened;
    faults.expect(/ERR_|Failed to load resource/);
    await page.getByText('Live', { exact: true }).first().waitFor();
    // From here on time passes in the page only as the test says.
    await page.clock.pauseAt(Date.now() + 60_000);
    const response = page.waitForResponse('**/healthz');
    await page.clock.runFor(5_000);
    await response;
    service.stall();
    await page.clock.runFor(10_000);
    await page.getByText("Can't reach the server.").waitFor();
    await service.mend();
  });

  it('says so in every tab of a browser, one of which has the stream, and in all that the service is back', async () => {
    await using opened = await openConsole(browser, service, { path: '/offices' });
    const { page, context, faults } = opened;
    faults.expect(/ERR_|Failed to load resource/);
    const other = await context.newPage();
    await other.goto(`${service.url}/console/offices`);
    const tabs = [page, other];
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).first().waitFor();
    await service.stop();
    for (const tab of tabs) await tab.getByText('Reconnecting…').first().waitFor();
    await service.start();
    for (const tab of tabs) await tab.getByText('Live', { exact: true }).first().waitFor();
  });

  it.each([503, 429])('asks again after the time that a %i names, and says nothing', async (status) => {
    const asked: number[] = [];
    /** The first calls are rejected, as by a server with too much to do. */
    const reject = async (page: Page) => {
      await page.route(/\/trpc\//, (route) => {
        asked.push(performance.now());
        if (asked.length > 1) return route.continue();
        return route.fulfill({
          status,
          headers: { 'Retry-After': '1', 'Content-Type': 'application/json' },
          body: '{}',
        });
      });
    };
    await using opened = await openConsole(browser, service, { path: '/offices', prepare: reject });
    const { page, faults } = opened;
    faults.expect(/status of (?:503|429)/);
    await page.getByRole('gridcell', { name: 'Office 000002', exact: true }).waitFor();
    expect(asked.length).toBeGreaterThan(1);
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(950);
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('whose rights were withdrawn says so, and loses nothing of what was typed', async () => {
    const { server } = service;
    const agent = await createAgent(server, 'Withdrawn', { phone: '+351210000001' });
    const path = `/agents/${agent.id}/edit`;
    await using opened = await openConsole(browser, service, { path, as: 'editor' });
    const { page, person, faults } = opened;
    faults.expect(/status of 403/);
    const field = page.getByLabel(phone, { exact: true });
    await field.fill('+351210000005');
    const grant = async (role: string) => {
      const grants = [{ role }];
      const changed = await server.request('PATCH', `/people/${person?.id}`, { grants });
      expect(changed.status, await changed.text()).toBe(200);
    };
    await grant('viewer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(await field.inputValue()).toBe('+351210000005');
    expect((await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000001');
    await grant('editor');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await readRecord(server, 'agents', agent.id)).phone).toBe('+351210000005');
  });
});
