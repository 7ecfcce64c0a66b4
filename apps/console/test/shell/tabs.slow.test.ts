import type { Browser, BrowserContext, Page, Request, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  hasBrowser,
  type OpenOptions,
  openBrowser,
  openConsole,
  seedOffices,
  signIn,
  useConsole,
} from '../support/index.ts';

const TABS = 12;
const LOADS = 20;

/** The streams of events of a browser that are connected. */
class Streams {
  readonly #open = new Set<Request>();

  /** Watches the browser of a page that has not gone anywhere. */
  async watch(page: Page): Promise<void> {
    const context = page.context();
    context.on('response', (response) => {
      if (response.url().includes('/events/stream')) this.#open.add(response.request());
    });
    context.on('requestfailed', (request) => this.#open.delete(request));
    context.on('requestfinished', (request) => this.#open.delete(request));
  }

  /** The open tabs that have a stream, one for each stream. */
  readonly holders = (): Page[] =>
    Array.from(this.#open, (request) => request.frame().page()).filter((page) => !page.isClosed());
}

/** Hides a tab, or shows it again. All tabs of a browser without windows are seen. */
function setVisibility(page: Page, state: DocumentVisibilityState): Promise<void> {
  return page.evaluate((now) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
    Object.defineProperty(document, 'hidden', { configurable: true, value: now === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  }, state);
}

/** Tells a tab that it will be frozen, or that it goes on. The browser freezes no tab that is seen. */
function setFrozen(page: Page, isFrozen: boolean): Promise<void> {
  const type = isFrozen ? 'freeze' : 'resume';
  return page.evaluate((name) => void document.dispatchEvent(new Event(name)), type);
}

describe.skipIf(!hasBrowser)('the tabs of one browser', () => {
  let ids: string[] = [];
  const scene = useConsole({
    seed: async (server) => {
      ids = await seedOffices(server, 13);
    },
  });
  let keepsPages: Browser;
  beforeAll(async () => {
    keepsPages = await openBrowser({ keepsPages: true });
  });
  afterAll(() => keepsPages?.close());

  const cell = (page: Page, name: string) => page.getByRole('gridcell', { name, exact: true });
  const pill = (page: Page, count: number) =>
    page.getByRole('button', { name: new RegExp(`Show ${count} new changes?`) });

  async function open(path: string, options: OpenOptions = {}) {
    const streams = new Streams();
    const opened = await scene.open(path, { ...options, prepare: (page) => streams.watch(page) });
    await expect.poll(streams.holders).toEqual([opened.page]);
    return Object.assign(opened, { streams });
  }

  async function openTab(context: BrowserContext, path: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${scene.server.url}/console${path}`);
    return page;
  }

  /** Opens the activity in another tab, and waits until it listens. */
  async function openActivity(context: BrowserContext): Promise<Page> {
    const page = await openTab(context, '/activity');
    await page
      .getByRole('list', { name: 'Changes' })
      .getByText(/created$/)
      .first()
      .waitFor();
    return page;
  }

  async function rename(number: number, name: string): Promise<void> {
    const response = await scene.server.request('PATCH', `/offices/${ids[number - 1]}`, { name });
    expect(response.status).toBe(200);
  }

  it(`load and hear of a change in all of ${TABS}, by one stream`, async () => {
    await using opened = await open('/offices');
    const { page, context, streams } = opened;
    const tabs = [page];
    while (tabs.length < TABS) tabs.push(await openTab(context, '/offices'));
    for (const tab of tabs) await cell(tab, 'Office 000001').waitFor();
    await rename(1, 'Heard by all');
    for (const tab of tabs) await cell(tab, 'Heard by all').waitFor();
    expect(streams.holders()).toEqual([page]);
  });

  it(`load ${LOADS} addresses one after the other in a browser that keeps pages, and hear of a change after going back`, async () => {
    await using opened = await openConsole(keepsPages, scene.server, { path: '/offices' });
    const { page } = opened;
    for (let load = 0; load < LOADS; load += 1) {
      await page.goto(`${scene.server.url}/console/offices?sort=${load % 2 === 0 ? 'name' : '-name'}`);
      await cell(page, 'Office 000002').waitFor();
      await page.evaluate((value) => Object.assign(window, { load: value }), load);
    }
    // Playwright waits for the load of a page, which one that was kept does not have.
    await page.evaluate(() => void setTimeout(() => history.back()));
    await expect
      .poll(() => page.evaluate(() => Reflect.get(window, 'load')).catch(() => null))
      .toBe(LOADS - 2);
    await rename(2, 'Heard after going back');
    await cell(page, 'Heard after going back').waitFor();
  });

  it.each([
    ['is closed', (tab: Page) => tab.close()],
    ['crashes', (tab: Page) => tab.goto('chrome://crash').catch(() => undefined)],
    ['goes elsewhere', (tab: Page) => tab.goto('about:blank')],
    ['is hidden', (tab: Page) => setVisibility(tab, 'hidden')],
    ['is frozen', (tab: Page) => setFrozen(tab, true)],
  ])('hear of every change once, if the one with the stream %s', async (how, end) => {
    await using opened = await open('/offices');
    const { page, context, streams } = opened;
    const other = await openActivity(context);
    await rename(3, `Before it ${how}`);
    await pill(other, 1).waitFor();
    await end(page);
    await rename(3, `After it ${how}`);
    await pill(other, 2).waitFor();
    await expect.poll(() => streams.holders().at(-1)).toBe(other);
    await rename(3, `When another has the stream, and it ${how}`);
    await pill(other, 3).waitFor();
  });

  it('have no stream while all are hidden, and hear of what was changed meanwhile when one is seen', async () => {
    await using opened = await open('/activity');
    const { page, context, streams } = opened;
    const other = await openActivity(context);
    await rename(4, 'Before they are hidden');
    await pill(other, 1).waitFor();
    await setVisibility(other, 'hidden');
    await setVisibility(page, 'hidden');
    await expect.poll(streams.holders).toEqual([]);
    await rename(4, 'While they are hidden');
    await setVisibility(page, 'visible');
    await pill(page, 2).waitFor();
    await pill(other, 2).waitFor();
    expect(streams.holders()).toEqual([page]);
  });

  it('read again what they show after they were frozen', async () => {
    await using opened = await open('/offices');
    const { page, context } = opened;
    const other = await openTab(context, '/offices');
    await cell(other, 'Office 000005').waitFor();
    await setFrozen(other, true);
    await rename(5, 'Office 000005, while frozen');
    await cell(page, 'Office 000005, while frozen').waitFor();
    await setFrozen(other, false);
    await cell(other, 'Office 000005, while frozen').waitFor();
  });

  it('show what was read again, and heard, before the code was loaded that compares it with the list', async () => {
    const loading = Promise.withResolvers<void>();
    await using opened = await open('/offices');
    const { page, context } = opened;
    const other = await context.newPage();
    await other.route('**/assets/list-notes-*', async (route) => {
      await loading.promise;
      await route.continue();
    });
    const isList = (text: string) => (response: Response) =>
      response.url().includes('offices.list') &&
      response.text().then(
        (body) => body.includes(text),
        // The page has given it up for a newer one.
        () => false,
      );
    await other.goto(`${scene.server.url}/console/offices`);
    await cell(other, 'Office 000012').waitFor();
    await setFrozen(other, true);
    await rename(12, 'Office 000012, while frozen');
    const again = other.waitForResponse(isList('Office 000012, while frozen'));
    await setFrozen(other, false);
    await again;
    await rename(13, 'Office 000013, before it was loaded');
    await cell(page, 'Office 000013, before it was loaded').waitFor();
    loading.resolve();
    await cell(other, 'Office 000012, while frozen').waitFor();
    await cell(other, 'Office 000013, before it was loaded').waitFor();
  });

  it('show a change that was made after a page had read, and before its stream was connected', async () => {
    const connecting = Promise.withResolvers<void>();
    await using opened = await scene.open('/offices', {
      prepare: async (page) => {
        await page.route('**/events/stream*', async (route) => {
          await connecting.promise;
          await route.continue();
        });
      },
    });
    const { page } = opened;
    await cell(page, 'Office 000010').waitFor();
    await rename(10, 'Office 000010, before the stream');
    connecting.resolve();
    await cell(page, 'Office 000010, before the stream').waitFor();
  });

  it('show a change that was made after a page had read, and before it heard what the others hear', async () => {
    await using opened = await open('/offices');
    const { page, context } = opened;
    const other = await context.newPage();
    // Without a channel the tab hears nothing and says nothing, until it joins the others.
    await other.addInitScript(() => {
      const { postMessage, addEventListener } = BroadcastChannel.prototype;
      const waiting: (() => void)[] = [];
      BroadcastChannel.prototype.postMessage = function (this: BroadcastChannel, message: unknown) {
        waiting.push(() => postMessage.call(this, message));
      };
      BroadcastChannel.prototype.addEventListener = function (
        this: BroadcastChannel,
        ...listener: [string, EventListener]
      ) {
        waiting.push(() => addEventListener.call(this, ...listener));
      } as typeof addEventListener;
      Object.assign(window, {
        join: () => {
          Object.assign(BroadcastChannel.prototype, { postMessage, addEventListener });
          for (const call of waiting) call();
        },
      });
    });
    await other.goto(`${scene.server.url}/console/offices`);
    await cell(other, 'Office 000011').waitFor();
    await rename(11, 'Office 000011, before it listened');
    await cell(page, 'Office 000011, before it listened').waitFor();
    await other.evaluate(() => Reflect.get(window, 'join')());
    await cell(other, 'Office 000011, before it listened').waitFor();
  });

  it('hear what the person may read who is signed in now, and nothing of the one before', async () => {
    const [first = '', second = ''] = ids.slice(5);
    await using opened = await open('/offices', { as: 'viewer', officeIds: [first] });
    const { page, context } = opened;
    await cell(page, 'Office 000006').waitFor();
    await signIn(context, scene.server.url, await scene.person('viewer', [second]));
    const other = await openActivity(context);
    await rename(6, 'For the one before');
    await rename(7, 'For the one who is signed in');
    await pill(other, 1).waitFor();
    await setVisibility(page, 'hidden');
    await rename(7, 'For the one who is signed in, again');
    await pill(other, 2).waitFor();
  });

  it('have a stream each where the browser has no locks, while they are seen', async () => {
    const streams = new Streams();
    const prepare = async (page: Page) => {
      await streams.watch(page);
      await page
        .context()
        .addInitScript(() => Object.defineProperty(navigator, 'locks', { value: undefined }));
    };
    await using opened = await scene.open('/offices', { prepare });
    const { page, context } = opened;
    const other = await openTab(context, '/offices');
    await cell(other, 'Office 000008').waitFor();
    await expect.poll(() => new Set(streams.holders())).toEqual(new Set([page, other]));
    // A stream begins at some time after it was asked for; what is changed before is not in it.
    let changes = 0;
    const isHeard = (tab: Page) => tab.getByRole('gridcell', { name: /^Heard by each/ }).isVisible();
    const changeAndHear = async () => {
      changes += 1;
      await rename(8, `Heard by each ${changes}`);
      return Promise.all([page, other].map(isHeard));
    };
    await expect.poll(changeAndHear, { interval: 500 }).toEqual([true, true]);
    await setVisibility(other, 'hidden');
    await expect.poll(streams.holders).toEqual([page]);
    await rename(8, 'Heard later');
    await setVisibility(other, 'visible');
    await cell(other, 'Heard later').waitFor();
  });
});
