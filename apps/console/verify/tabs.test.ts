import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, type OpenedConsole, seedOffices, useConsole } from './support/index.ts';

const TABS = 12;
const LOADS = 20;

describe.skipIf(!hasBrowser)('the tabs of one browser', () => {
  const scene = useConsole({ seed: (server) => seedOffices(server, 3) });

  const cell = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });

  async function openTab(context: BrowserContext, path = '/offices'): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${scene.server.url}/console${path}`);
    return page;
  }

  /** Changes the name of the office that has it. */
  async function rename(from: string, to: string): Promise<void> {
    const answer = await scene.server.request('GET', `/offices?q=${encodeURIComponent(from)}`);
    const { items } = (await answer.json()) as { items: { id: string; name: string }[] };
    const id = items.find(({ name }) => name === from)?.id;
    expect((await scene.server.request('PATCH', `/offices/${id}`, { name: to })).status).toBe(200);
  }

  const streams = ({ context }: OpenedConsole) => {
    const open = new Map<Page, number>();
    const count = (page: Page, change: number) => open.set(page, (open.get(page) ?? 0) + change);
    const isStream = (url: string) => url.includes('/events/stream');
    context.on('request', (request) => {
      if (isStream(request.url())) count(request.frame().page(), 1);
    });
    context.on('requestfailed', (request) => {
      if (isStream(request.url())) count(request.frame().page(), -1);
    });
    return {
      /** The tabs that have a stream and are open. */
      holders: () => Array.from(open).flatMap(([page, n]) => (n > 0 && !page.isClosed() ? [page] : [])),
    };
  };

  it(`load and hear of a change in all of ${TABS}, by one stream`, async () => {
    await using opened = await scene.open('/offices');
    const { page, context } = opened;
    const { holders } = streams(opened);
    await cell(page, 'Office 000001').waitFor();
    const tabs = [page];
    while (tabs.length < TABS) tabs.push(await openTab(context));
    for (const tab of tabs) await cell(tab, 'Office 000001').waitFor();
    await rename('Office 000001', 'Heard by all');
    for (const tab of tabs) await cell(tab, 'Heard by all').waitFor();
    expect(holders().length).toBeLessThanOrEqual(1);
  });

  it(`load ${LOADS} addresses one after the other, also by going back`, async () => {
    await using opened = await scene.open('/offices');
    const { page } = opened;
    for (let load = 0; load < LOADS; load += 1) {
      await page.goto(`${scene.server.url}/console/offices?sort=${load % 2 === 0 ? 'name' : '-name'}`);
      await cell(page, 'Office 000002').waitFor();
    }
    await page.goBack();
    await cell(page, 'Office 000002').waitFor();
    await rename('Office 000002', 'Heard after going back');
    await cell(page, 'Heard after going back').waitFor();
  });

  it.each([
    ['is closed', (tab: Page) => tab.close()],
    ['crashes', (tab: Page) => tab.goto('chrome://crash').catch(() => undefined)],
    ['goes elsewhere', (tab: Page) => tab.goto('about:blank')],
  ])('hear of what is changed after the one with the stream %s', async (how, end) => {
    await using opened = await scene.open('/offices');
    const { page, context } = opened;
    const { holders } = streams(opened);
    await page.reload();
    await cell(page, 'Office 000003').waitFor();
    await expect.poll(holders).toEqual([page]);
    const other = await openTab(context);
    await cell(other, 'Office 000003').waitFor();
    await end(page);
    const name = `Heard after it ${how}`;
    await rename('Office 000003', name);
    await cell(other, name).waitFor();
    await rename(name, 'Office 000003');
    await cell(other, 'Office 000003').waitFor();
  });
});
