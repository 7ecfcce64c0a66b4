import process from 'node:process';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { findBrowser } from '../../../../packages/client/test/browser/find-browser.ts';
import { WAIT_MS } from './patience.ts';

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

/** What Chromium is not to do. It reads only the last of several lists, so what Playwright turns off is repeated. */
const disabledFeatures = [
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
  // Pages of its own for the address bar, two for each window, which nobody sees: half the cost of a window.
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** Nothing that the browser would do by itself: no update, no report, no call to its maker. */
const args = [
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${disabledFeatures.join()}`,
  '--no-first-run',
];

let shared: Promise<Browser> | undefined;

/**
 * The browser of this worker, for all its files: each test has a context of its own in it. Nobody closes it; Playwright ends it with
 * the process.
 */
export function findSharedBrowser(): Promise<Browser> {
  shared ??= openBrowser();
  return shared;
}

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
    timeout: WAIT_MS,
    // Chromium has no sandbox for root, who runs the tests in a container.
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

/** Opens a context with the settings of most tests: nothing moves, and what is waited for may take as long as a busy machine needs. */
export async function openContext(
  browser: Browser,
  settings: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...settings });
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

/** A device with passkeys of a page: the virtual authenticator of Chromium. */
interface VirtualDevice {
  /** The number of passkeys that it has. */
  count(): Promise<number>;
  /** Whether the person confirms with a finger, a face or a PIN from now on. */
  setConfirming(isConfirming: boolean): Promise<void>;
}

/** Gives a page a device that keeps passkeys and confirms without asking anybody. */
export async function addDevice(
  context: BrowserContext,
  page: Page,
  transport: 'internal' | 'usb' = 'internal',
): Promise<VirtualDevice> {
  const cdp = await context.newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      automaticPresenceSimulation: true,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
  return {
    count: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    setConfirming: async (isUserVerified) => {
      await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}
