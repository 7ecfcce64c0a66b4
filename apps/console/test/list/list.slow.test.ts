import type { Page, Request } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  expectAccessible,
  focused,
  hasBrowser,
  press,
  seedAgents,
  seedOffices,
  smallTargets,
  typeInto,
  useConsole,
} from '../support/index.ts';

const AGENTS = 3_000;
const grid = (page: Page) => page.getByRole('grid');
const rows = (page: Page) => page.locator('[role=row][data-index]');
const link = (page: Page, name: string) => grid(page).getByRole('link', { name });

/** Scrolls the list to a row, as dragging the scrollbar does. Resolves to whether the list is that long yet. */
const scrollTo = (page: Page, row: number) =>
  grid(page).evaluate((element, at) => {
    element.scrollTop = at * 40;
    return element.scrollTop === at * 40;
  }, row);

/** The names on the screen with their rows, in the order of the rows; empty where a name is still read. */
const shown = (page: Page) =>
  grid(page).evaluate((element) =>
    [...element.querySelectorAll('[role=row][data-index]')]
      // The row with the focus is there wherever it is.
      .filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        const screen = element.getBoundingClientRect();
        return bottom > screen.top && top < screen.bottom;
      })
      .map((row) => ({
        index: Number((row as HTMLElement).dataset.index),
        name: row.querySelector('a')?.textContent ?? '',
      }))
      .toSorted((one, other) => one.index - other.index),
  );

/** Scrolls to a row, and waits until the screen is full of records from there on. Resolves to them. */
async function readFrom(page: Page, row: number) {
  await expect.poll(() => scrollTo(page, row)).toBe(true);
  const screen = await grid(page).evaluate((element) => Math.floor(element.clientHeight / 40) - 1);
  let all: Awaited<ReturnType<typeof shown>> = [];
  await expect
    .poll(async () => {
      all = await shown(page);
      return (
        all.length >= screen && all.some(({ index }) => index === row) && all.every(({ name }) => name !== '')
      );
    })
    .toBe(true);
  return all;
}

describe.skipIf(!hasBrowser)('the list', () => {
  const scene = useConsole({
    seed: async (server) => {
      const officeIds = await seedOffices(server, 30);
      await seedAgents(server, AGENTS, { officeIds });
      const left = await seedAgents(server, 5, { lastName: 'Zurique' });
      await Promise.all(left.map((id) => server.request('PUT', `/agents/${id}/deactivate`, {})));
    },
  });

  it('shows every record by scrolling, with at most 60 rows in the page, in their order and without a gap', async () => {
    await using opened = await scene.open('/agents?sort=createdAt');
    const { page } = opened;
    await rows(page).first().waitFor();
    const seen = new Map<number, string>();
    // Through several of the pages of 100 that the list reads, by less than a screen.
    for (let row = 0; row < 320; row += 10) {
      for (const { index, name } of await readFrom(page, row)) {
        expect(seen.get(index) ?? name, `row ${index}`).toBe(name);
        seen.set(index, name);
      }
      expect(await rows(page).count()).toBeLessThanOrEqual(60);
    }
    expect(new Set(seen.values()).size).toBe(seen.size);
    expect([...seen.keys()].toSorted((a, b) => a - b)).toEqual([...seen.keys()].map((_, index) => index));
  });

  it('has its tools with the first row, and all default columns in a window of 1,440 pixels without scrolling', async () => {
    await using opened = await scene.open('/agents', {
      browser: { viewport: { width: 1_440, height: 720 } },
      // What is loaded after the first view does not come.
      prepare: async (page) => {
        await page.route(/\/assets\/(?:overlays|menu-popup)-/, () => {});
      },
    });
    const { page } = opened;
    await rows(page).first().waitFor();
    for (const name of ['Add a filter', 'Sort', 'Columns', 'More'])
      expect(await page.getByRole('button', { name, exact: true }).isVisible()).toBe(true);
    expect((await page.getByRole('columnheader').allTextContents()).at(-1)).toBe('Licence ends');
    expect(await grid(page).evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 960, height: 720 });
    await expect
      .poll(async () => (await page.getByRole('columnheader').allTextContents()).includes('Email'))
      .toBe(false);
    expect(await grid(page).evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0);
  });

  it('drops what it does not know of an address, says so, and shows the rest', async () => {
    await using opened = await scene.open('/agents?status=inactive&colour=red&sort=height');
    const { page } = opened;
    await page.getByText('were ignored: colour, sort').waitFor();
    await page.getByRole('heading', { name: 'Agents 5' }).waitFor();
    expect(new URL(page.url()).search).toBe('?status=inactive');
  });

  it('goes on and back through its pages without a row that moves', async () => {
    await using opened = await scene.open('/agents?sort=createdAt');
    const { page } = opened;
    await rows(page).first().waitFor();
    const before = new Map<number, string>();
    for (let row = 0; row <= 600; row += 60)
      for (const { index, name } of await readFrom(page, row)) before.set(index, name);
    for (let row = 600; row >= 0; row -= 60)
      for (const { index, name } of await readFrom(page, row))
        expect(name, `row ${index}`).toBe(before.get(index));
  });

  it('has at most ten pages of 100 in memory, and says where each row is in the whole', async () => {
    await using opened = await scene.open('/agents?sort=createdAt');
    const { page } = opened;
    await rows(page).first().waitFor();
    const last = () => grid(page).evaluate((element) => element.scrollHeight / 40);
    await expect
      .poll(async () => {
        await grid(page).evaluate((element) => {
          element.scrollTop = element.scrollHeight;
        });
        return Number(await rows(page).last().getAttribute('aria-rowindex'));
      })
      .toBe(AGENTS + 5 + 1);
    expect(await last()).toBeLessThanOrEqual(1_010);
    expect(await grid(page).getAttribute('aria-rowcount')).toBe(String(AGENTS + 5 + 1));
  });

  it('is used by keyboard alone: filter, search, sort, select, and open a record', async () => {
    await using opened = await scene.open('/agents', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Add a filter' }));
    await page.getByRole('menuitem', { name: 'Status' }).waitFor();
    await page.keyboard.type('status');
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Status']);
    await press(page, 'Enter');
    const popover = page.getByRole('dialog', { name: 'Status' });
    await activate(page, popover.getByRole('checkbox', { name: 'Inactive', exact: true }), ' ');
    await press(page, 'Escape');
    await page.getByRole('heading', { name: /^Agents 5$/ }).waitFor();
    await typeInto(page, page.getByRole('searchbox', { name: 'Search', exact: true }), 'zuri');
    await page.locator('mark', { hasText: /zuri/i }).first().waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('zuri');

    // The search leads into the list, whose keys are letters, too.
    await press(page, 'ArrowDown');
    await expect.poll(() => focused(page)).toMatch(/Zurique/);
    await press(page, 'j', 'x');
    await page.getByText('1 selected', { exact: true }).waitFor();
    await press(page, 'k', 'Escape', 'x', 'Shift+ArrowDown', 'Shift+ArrowDown');
    await page.getByText('3 selected', { exact: true }).waitFor();
    await press(page, 'Shift+ArrowUp');
    await page.getByText('2 selected', { exact: true }).waitFor();
    await press(page, 'Control+a');
    await page.getByText('5 selected', { exact: true }).waitFor();
    await press(page, 'Escape', 'Enter');
    await expect.poll(() => new URL(page.url()).pathname).toMatch(/\/agents\/[0-9a-f-]{36}$/);
    expect(new URL(page.url()).searchParams.get('status')).toBe('inactive');
  });

  it('says how it is sorted, and is sorted by its headers', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    const header = page.getByRole('columnheader', { name: 'Name by last name', exact: true });
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
    await header.getByRole('button').click();
    await expect.poll(() => header.getAttribute('aria-sort')).toBe('descending');
    await link(page, 'Zurique').first().waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-lastName');
    expect(await page.getByRole('columnheader', { name: 'City' }).getAttribute('aria-sort')).toBeNull();
    await page.getByRole('button', { name: 'Sort' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'First name, A to Z' }).click();
    const byFirst = page.getByRole('columnheader', { name: 'Name by first name', exact: true });
    await expect.poll(() => byFirst.getAttribute('aria-sort')).toBe('ascending');
    await byFirst.getByRole('button').click();
    await expect.poll(() => new URL(page.url()).searchParams.get('sort')).toBe('-firstName');
  });

  it('never shows an older answer over a newer one while someone types', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    await rows(page).first().waitFor();
    // The response for one letter comes after that for the word.
    const newer = Promise.withResolvers<void>();
    const isOlder = (request: Request) => decodeURIComponent(request.url()).includes('"q":"z"');
    await page.route(/trpc/, async (route) => {
      if (isOlder(route.request())) await newer.promise;
      await route.continue().catch(() => undefined);
    });
    const box = page.getByRole('searchbox', { name: 'Search', exact: true });
    const asking = page.waitForRequest(isOlder);
    await box.fill('z');
    const older = await asking;
    await box.fill('zurique');
    await page.getByRole('heading', { name: /^Agents 5$/ }).waitFor();
    newer.resolve();
    // Without a response if the page has given it up.
    await (await older.response())?.finished();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    expect(await page.getByRole('heading', { name: /^Agents 5$/ }).count()).toBe(1);
  });

  it('keeps its rows when those of another filter cannot be read, and names no address of the service', async () => {
    await using opened = await scene.open('/agents');
    const { page, faults } = opened;
    faults.expect(/ERR_FAILED/);
    await rows(page).first().waitFor();
    const first = (await shown(page))[0]?.name;
    await page.route(/trpc/, (route) =>
      decodeURIComponent(route.request().url()).includes('"q":"zurique"') ? route.abort() : route.continue(),
    );
    await page.getByRole('searchbox', { name: 'Search', exact: true }).fill('zurique');
    await page.getByText("Couldn't load the list. Showing the previous records.").waitFor();
    expect((await shown(page))[0]?.name).toBe(first);
    expect(await page.getByText(new URL(scene.server.url).port).count()).toBe(0);
    await expectAccessible(page);
    await page.unroute(/trpc/);
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('heading', { name: /^Agents 5$/ }).waitFor();
  });

  it('says that similar records are shown if none has the words', async () => {
    await using opened = await scene.open('/agents?q=zuriqe');
    await opened.page.getByText('No exact match.').waitFor();
    await link(opened.page, 'Zurique').first().waitFor();
  });

  it('keeps its place and its focus when a record is opened and closed', async () => {
    await using opened = await scene.open('/agents');
    const { page } = opened;
    await rows(page).first().waitFor();
    await scrollTo(page, 80);
    await expect
      .poll(async () => (await shown(page)).some(({ index, name }) => index === 85 && name !== ''))
      .toBe(true);
    const top = await grid(page).evaluate((element) => element.scrollTop);
    await rows(page).and(page.locator('[data-index="85"]')).getByRole('link').first().click();
    const back = page.getByRole('link', { name: 'Back to the list' });
    const expectBack = async () => {
      await expect.poll(() => new URL(page.url()).pathname).toBe('/console/agents');
      // The list is as wide as before a frame later.
      await expect.poll(() => grid(page).evaluate((element) => element.scrollTop)).toBe(top);
      await expect.poll(() => focused(page)).toMatch(/^a /);
    };
    await back.click();
    await expectBack();
    await press(page, 'Enter');
    await back.waitFor();
    await press(page, 'Escape');
    await expectBack();
    await press(page, 'Enter');
    await page.getByRole('button', { name: 'More actions' }).focus();
    await press(page, 'Escape');
    await expectBack();
  });

  it('leads from the page of a record to those beside it, and says which of the list it is', async () => {
    await using opened = await scene.open('/agents?status=inactive&sort=lastName');
    const { page } = opened;
    await rows(page).first().waitFor();
    const names = (await shown(page)).map(({ name }) => name.replace('Inactive', ''));
    await rows(page).and(page.locator('[data-index="1"]')).getByRole('link').first().click();
    await page.getByRole('link', { name: 'Open as a page' }).click();
    await page.getByText('2 of 5', { exact: true }).waitFor();
    for (const [button, place] of [
      ['Next record', 3],
      ['Previous record', 2],
      ['Previous record', 1],
    ] as const) {
      await page.getByRole('button', { name: button }).click();
      await page.getByText(`${place} of 5`, { exact: true }).waitFor();
      await page.getByRole('heading', { level: 2, name: names[place - 1] ?? '', exact: true }).waitFor();
    }
    expect(await page.getByRole('button', { name: 'Previous record' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link to this view copied').waitFor();
  });

  it('has the initials of agents in list and record, of which a screen reader is not told, and the whole of a long name in its tooltip', async () => {
    const lastName = 'de Albuquerque e Vasconcelos Pimentel de Mesquita Xisto';
    const agent = { firstName: 'Maria Constança', lastName };
    const created = await scene.server.request('POST', '/agents', agent);
    const { id } = (await created.json()) as { id: string };
    await using opened = await scene.open(`/agents?q=Xisto`);
    const { page } = opened;
    const name = `${agent.firstName} ${lastName}`;
    const inList = link(page, name);
    await inList.waitFor();
    await link(page, name).click();
    const panel = page.getByRole('region', { name, exact: true });
    await panel.getByRole('heading', { name, exact: true }).waitFor();
    const drawn = await Promise.all(
      [inList, panel.locator('[data-initials]').first()].map((one) =>
        one.evaluate((element) => {
          const { content, backgroundColor } = getComputedStyle(element, '::before');
          return [content.split(' / ')[0], backgroundColor];
        }),
      ),
    );
    expect(drawn[0]?.[0]).toBe('"MX"');
    expect(drawn[1]).toEqual(drawn[0]);
    await expectAccessible(page);
    await scene.server.request('DELETE', `/agents/${id}`);
  });

  it('is accessible, also as cards, and says so if nothing matches', async () => {
    await using opened = await scene.open('/agents?status=active');
    const { page } = opened;
    await page.getByRole('button', { name: 'Remove the filter Status' }).waitFor();
    await expectAccessible(page);
    await page.setViewportSize({ width: 320, height: 640 });
    await expect.poll(() => page.evaluate(() => document.body.scrollWidth)).toBeLessThanOrEqual(320);
    expect(await smallTargets(page.locator('header > :is(a, button), header input'))).toEqual([]);
    await expectAccessible(page);
    await page.goto(`${scene.server.url}/console/offices?mlsId=NONE`);
    await page.getByRole('heading', { name: 'No offices match' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: /^MLS number.*30 offices$/ }).click();
    await rows(page).first().waitFor();
  });
});
