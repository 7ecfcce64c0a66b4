import process from 'node:process';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBrowser } from '../../../packages/client/test/browser/find-browser.ts';

/**
 * The path of the browser. Without one the tests in a browser are skipped, with a line that says so; with
 * ROSTER_TEST_BROWSER=required they fail instead.
 */
function browserOrSkip(): string | undefined {
  const found = findBrowser();
  if (found !== undefined) return found;
  const missing = 'There is neither Chromium nor Chrome on PATH, and ROSTER_BROWSER names none.';
  if (process.env.ROSTER_TEST_BROWSER === 'required')
    throw new Error(`${missing} ROSTER_TEST_BROWSER=required asks for one.`);
  process.stderr.write(`SKIPPED: the tests in a browser. ${missing} On Debian: apt-get install chromium\n`);
  return undefined;
}

const executablePath = browserOrSkip();
export const hasBrowser = executablePath !== undefined;

/** Nothing that the browser would do by itself: no update, no report, no call to its maker. */
const args = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error('openBrowser is called although there is no browser');
  // Chromium has no sandbox for root, who runs the tests in a container.
  return chromium.launch({ executablePath, args, chromiumSandbox: process.getuid?.() !== 0 });
}

/** A page whose errors, and whose requests to another machine, fail the test when it is disposed of. */
export async function openPage(browser: Browser): Promise<{ page: Page } & AsyncDisposable> {
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') faults.push(`it asked ${href}`);
  });
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await page.close();
      expect(faults).toEqual([]);
    },
  };
}
