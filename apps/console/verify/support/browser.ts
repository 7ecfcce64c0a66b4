import process from 'node:process';
import { type Browser, chromium } from 'playwright-core';
import { findBrowser } from '../../../../packages/client/test/browser/find-browser.ts';

const missing =
  'There is neither Chromium nor Chrome on PATH, and ROSTER_BROWSER names none. On Debian: apt-get install chromium.';

const executablePath = findBrowser();

/**
 * Whether there is a browser. Without one the tests in a browser are to be skipped, and a line says so; with
 * ROSTER_TEST_BROWSER=required, as in CI, they fail instead.
 */
export const hasBrowser = executablePath !== undefined;
if (!hasBrowser) {
  if (process.env.ROSTER_TEST_BROWSER === 'required')
    throw new Error(`${missing} ROSTER_TEST_BROWSER=required asks for one.`);
  process.stderr.write(`SKIPPED: the tests in a browser. ${missing}\n`);
}

/** Nothing that the browser would do by itself: no update, no report, no call to its maker. */
const args = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
];

/**
 * Starts a browser. With `keepsPages` it keeps pages that were left, to show them again if someone goes back, as browsers do for people
 * (the back/forward cache).
 */
export async function openBrowser({ keepsPages = false } = {}): Promise<Browser> {
  if (executablePath === undefined) throw new Error('openBrowser is called although there is no browser');
  return chromium.launch({
    executablePath,
    args,
    ...(keepsPages && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
    // Chromium has no sandbox for root, who runs the tests in a container.
    chromiumSandbox: process.getuid?.() !== 0,
  });
}
