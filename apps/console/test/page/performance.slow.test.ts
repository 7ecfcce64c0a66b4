import process from 'node:process';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, openConsole, seedAgents, seedOffices, useConsole } from '../support/index.ts';
import {
  bestOf,
  firstRow,
  forgetMeasured,
  type Instruments,
  instrumentsOf,
  type Measured,
  watchPerformance,
} from '../support/measure.ts';

/** How many times slower than this machine the page runs. */
const SLOWED = 4;
// The bounds are those of a reference machine (support/measure.ts): what is measured on a slower one, or on one that others load,
// is divided by how many times slower it is in that attempt. So are the times in the log, which shows that factor too.
const LCP_MAX_MS = 1_200;
const INP_MAX_MS = 200;
const FRAME_MAX_MS = 200;
/** From the last key of a search until its rows are shown. */
const FOUND_MAX_MS = 600;
const ROWS = 20_000;
/** As someone who is quick: between two keys, and from the press of one to its release. */
const PAUSE_MS = 150;
const PRESS_MS = 60;
/** The most for `bestOf`. */
const ATTEMPTS = 12;

type Interaction = Measured['interactions'][string];

/** As it is said in the log: one slowness, or the least and the most. */
const rangeOf = (slownesses: readonly number[]): string =>
  [...new Set([Math.min(...slownesses), Math.max(...slownesses)].map((one) => one.toFixed(1)))].join(' to ');

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Where in the list it is scrolled, as parts of its height, and for how many frames. */
const PLACES = [0, 0.15, 0.3, 0.45, 0.6, 0.75, 0.9];
const FRAMES = 60;
/** Three rows a frame: 6,480 pixels a second, as fast as a wheel is turned. */
const STEP_PX = 108;

/** Goes to a place of a grid, as by its scroll bar. */
const jumpTo = (page: Page, part: number): Promise<void> =>
  page.getByRole('grid').evaluate((grid, at) => {
    grid.scrollTop = at * (grid.scrollHeight - grid.clientHeight);
  }, part);

/** Scrolls a grid down, a step in each frame. */
const scrollOn = (page: Page): Promise<void> =>
  page.getByRole('grid').evaluate(
    async (grid, { frames, step }) => {
      for (let frame = 0; frame < frames; frame += 1) {
        grid.scrollTop += step;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    { frames: FRAMES, step: STEP_PX },
  );

describe.skipIf(!hasBrowser)(`with the CPU slowed ${SLOWED} times`, () => {
  const scene = useConsole({
    seed: async (server) => seedAgents(server, ROWS, { officeIds: await seedOffices(server, 50) }),
  });

  /** Opens the list of all agents, fast, and waits for its rows. Then it is slow. */
  async function openList() {
    let instruments: Instruments | undefined;
    const opened = await openConsole(scene.browser, scene.server, {
      path: '/agents',
      browser: { viewport: { width: 1280, height: 800 } },
      prepare: async (page) => {
        await watchPerformance(page);
        instruments = await instrumentsOf(page);
      },
    });
    if (instruments === undefined) throw new Error('The page was not prepared.');
    await firstRow(opened.page).waitFor();
    await instruments.slowDown(SLOWED);
    await forgetMeasured(opened.page);
    return { opened, page: opened.page, instruments };
  }

  it(`paints the largest part of a list within ${LCP_MAX_MS} ms`, async () => {
    const times: number[] = [];
    const slownesses: number[] = [];
    const fastest = await bestOf(
      async () => {
        let instruments: Instruments | undefined;
        // Each in a browser context of its own, which has nothing in its cache.
        await using opened = await openConsole(scene.browser, scene.server, {
          path: '/agents',
          prepare: async (page) => {
            await watchPerformance(page);
            instruments = await instrumentsOf(page);
            await instruments.slowDown(SLOWED);
          },
        });
        const { page } = opened;
        await firstRow(page).waitFor();
        if (instruments === undefined) throw new Error('The page was not prepared.');
        const { lcpMs, slowness } = await instruments.measured();
        times.push(Math.round(lcpMs));
        slownesses.push(slowness);
        return lcpMs;
      },
      { costOf: (lcpMs) => lcpMs, enough: LCP_MAX_MS, attempts: ATTEMPTS },
    );
    say(`LCP: ${times.join(', ')} ms on a machine ${rangeOf(slownesses)} times slower`);
    expect(fastest).toBeLessThanOrEqual(LCP_MAX_MS);
  });

  it(`scrolls in ${ROWS} rows without a frame of more than ${FRAME_MAX_MS} ms`, async () => {
    const { opened, page, instruments } = await openList();
    await using _ = opened;
    let longFrames: Measured['longFrames'] = [];
    const slownesses: number[] = [];
    for (const place of PLACES) {
      const shortest = await bestOf(
        async () => {
          await instruments.slowDown(SLOWED);
          await jumpTo(page, place);
          await page.waitForTimeout(500);
          // The row with the focus stays, wherever the list is.
          await expect.poll(() => page.locator('[role=row][aria-busy]').count()).toBeLessThanOrEqual(1);
          await forgetMeasured(page);
          await scrollOn(page);
          const measured = await instruments.measured();
          slownesses.push(measured.slowness);
          return measured.longFrames;
        },
        {
          costOf: (frames) => Math.max(0, ...frames.map(({ durationMs }) => durationMs)),
          enough: FRAME_MAX_MS,
          attempts: ATTEMPTS,
        },
      );
      longFrames = [...longFrames, ...shortest];
    }
    const longestMs = Math.round(Math.max(0, ...longFrames.map(({ durationMs }) => durationMs)));
    const all = PLACES.length * FRAMES;
    say(
      `Frames of more than 50 ms: ${longFrames.length} of ${all}, the longest ${longestMs} ms, in ${slownesses.length} tries on a machine ${rangeOf(slownesses)} times slower`,
    );
    expect(longFrames.filter(({ durationMs }) => durationMs > FRAME_MAX_MS)).toEqual([]);
  });

  it(`responds to every interaction within ${INP_MAX_MS} ms`, async () => {
    const slowestOf = (interactions: readonly Interaction[]) =>
      Math.max(...interactions.map(({ durationMs }) => durationMs));
    const slowest: number[] = [];
    const slownesses: number[] = [];
    const fastest = await bestOf(
      async () => {
        const { interactions, slowness } = await takeTour();
        slowest.push(Math.round(slowestOf(interactions)));
        slownesses.push(slowness);
        return interactions;
      },
      { costOf: slowestOf, enough: INP_MAX_MS, attempts: ATTEMPTS },
    );
    say(
      `Interactions: ${fastest.length}, the slowest of each try ${slowest.join(', ')} ms on a machine ${rangeOf(slownesses)} times slower`,
    );
    expect(fastest.length).toBeGreaterThan(10);
    expect(fastest.filter(({ durationMs }) => durationMs > INP_MAX_MS)).toEqual([]);
  });

  it(`shows what a search finds within ${FOUND_MAX_MS} ms of the last key`, async () => {
    const { opened, page, instruments } = await openList();
    await using _ = opened;
    const times: number[] = [];
    const fastest = await bestOf(
      async () => {
        await instruments.slowDown(SLOWED);
        await page.getByRole('searchbox').fill('');
        await firstRow(page).waitFor();
        await page.getByRole('searchbox').click();
        await page.keyboard.type('almeida 0001', { delay: PAUSE_MS });
        const typed = await page.evaluate(() => performance.now());
        await page
          .getByRole('gridcell', { name: /Almeida 0001/ })
          .first()
          .waitFor();
        const foundMs = (await page.evaluate(() => performance.now())) - typed;
        const { slowness } = await instruments.measured();
        times.push(Math.round(foundMs / slowness));
        return foundMs / slowness;
      },
      { costOf: (foundMs) => foundMs, enough: FOUND_MAX_MS, attempts: ATTEMPTS },
    );
    say(`Search: rows ${times.join(', ')} ms after the last key`);
    expect(fastest).toBeLessThanOrEqual(FOUND_MAX_MS);
  });

  /** Opens, moves, selects, searches and sorts, as someone who is quick. */
  async function takeTour(): Promise<{ interactions: Interaction[]; slowness: number }> {
    const { opened, page, instruments } = await openList();
    await using _ = opened;
    await instruments.takeFrames();
    const pause = () => page.waitForTimeout(PAUSE_MS);
    const record = page.getByRole('link', { name: 'Back to the list' });
    await firstRow(page).click();
    await record.waitFor();
    await pause();
    await page.keyboard.press('Escape');
    await record.waitFor({ state: 'detached' });
    await pause();
    for (const key of [
      'ArrowDown',
      'ArrowDown',
      'PageDown',
      'PageDown',
      'End',
      'Home',
      ' ',
      'Shift+ArrowDown',
    ]) {
      await page.keyboard.press(key, { delay: PRESS_MS });
      await pause();
    }
    await page.getByRole('searchbox').click();
    await pause();
    await page.keyboard.type('almeida 0001', { delay: PAUSE_MS });
    await page
      .getByRole('gridcell', { name: /Almeida 0001/ })
      .first()
      .waitFor();
    await page.getByRole('columnheader').nth(2).click();
    await pause();
    const { interactions, slowness } = await instruments.measured();
    return { interactions: Object.values(interactions), slowness };
  }
});
