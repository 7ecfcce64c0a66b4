import type { Role } from '@roster/api';
import { startTestServer, type TestServer } from '@roster/server/testing';
import { personWith, type TestPerson } from '@roster/server/testing/people';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildConsole } from '../../../../scripts/packaging/console.ts';
import { findSharedBrowser, hasBrowser, openContext } from './browser.ts';
import { WAIT_MS } from './patience.ts';
import { type PageFaults, watchContext } from './watch-context.ts';

/** The cookie of a session at a loopback address. */
const SESSION_COOKIE = 'roster_session';

export interface OpenOptions {
  /** Who is signed in: someone of this role, for everything unless `officeIds` limits it; `null` for nobody. An admin by default. */
  as?: Role | TestPerson | null;
  /** The offices to which the role is limited. */
  officeIds?: string[];
  /** The browser: `locale`, `viewport`, `colorScheme`, `reducedMotion` (by default `reduce`), `offline` … */
  browser?: BrowserContextOptions;
  /** Any use of a pointer fails the test. */
  isKeyboardOnly?: boolean;
  /** Called with the page before it goes anywhere. */
  prepare?: (page: Page) => Promise<void>;
}

/** A page of the console in a browser context of its own. */
export interface OpenedConsole extends AsyncDisposable {
  page: Page;
  context: BrowserContext;
  /** Who is signed in; undefined for nobody. */
  person: TestPerson | undefined;
  /** What the pages of this browser have done that they must not; anything that was not expected fails the test at the end. */
  faults: PageFaults;
  /** Fulfilled when the page follows the log: it hears of every change from then on. `Live` is shown earlier. */
  following: Promise<void>;
}

/** The server and the browser of a test file. */
export interface Scene {
  server: TestServer;
  browser: Browser;
  /** Makes someone with a role and a session: to be signed in on several pages, or to lose rights. */
  person(role: Role, officeIds?: string[], name?: string): Promise<TestPerson>;
  /** Opens the console at a path below /console: `open('/offices?q=porto', { as: 'editor' })`. */
  open(path: string, options?: OpenOptions): Promise<OpenedConsole>;
}

type ServerOptions = NonNullable<Parameters<typeof startTestServer>[0]>;

/** Starts a server with the real build of the console. */
export function startConsoleServer(options: ServerOptions = {}): Promise<TestServer> {
  const { directory } = buildConsole();
  return startTestServer({ isConsoleServed: true, consoleDirectory: directory, ...options });
}

/**
 * Starts a server with the real build before the tests of a `describe`, and ends it after them. The seeds are called once, when the
 * server runs. The browser is that of the worker.
 */
export function useConsole({
  seed,
  server: serverOptions,
}: {
  seed?: (server: TestServer) => Promise<unknown>;
  server?: ServerOptions;
} = {}): Scene {
  let server: TestServer | undefined;
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (!hasBrowser) return;
    [server, browser] = await Promise.all([startConsoleServer(serverOptions), findSharedBrowser()]);
    await seed?.(server);
  });
  afterAll(() => server?.[Symbol.asyncDispose]());
  const started = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('The scene is used outside its tests.');
    return value;
  };
  return {
    get server() {
      return started(server);
    },
    get browser() {
      return started(browser);
    },
    person: (role, officeIds, name) => person(started(server), role, { officeIds, name }),
    open: (path, options) => openConsole(started(browser), started(server), { path, ...options }),
  };
}

function person(
  server: Place,
  role: Role,
  { officeIds, name }: { officeIds: string[] | undefined; name?: string | undefined },
): Promise<TestPerson> {
  return personWith(server, [{ role, officeIds: officeIds ?? null }], name);
}

/** Where the console is, and who there is. */
type Place = Pick<TestServer, 'url' | 'database'>;

/** Runs in the page. A message stays for as long as a busy machine needs to reach its button, instead of ten seconds. */
function keepMessages({ messageMs, waitMs }: { messageMs: number; waitMs: number }): void {
  const { setTimeout } = window;
  const later = (run: TimerHandler, delayMs?: number, ...given: unknown[]) =>
    setTimeout(run, delayMs === messageMs ? waitMs : delayMs, ...given);
  Object.assign(window, { setTimeout: later });
}

/** Opens the console of a server, or of a service, signed in. Waits until its page has been loaded, not for any view. */
export async function openConsole(
  browser: Browser,
  server: Place,
  {
    path,
    as = 'admin',
    officeIds,
    browser: settings,
    isKeyboardOnly = false,
    prepare,
  }: OpenOptions & { path: string },
): Promise<OpenedConsole> {
  const [signedIn, context] = await Promise.all([
    typeof as === 'string' ? person(server, as, { officeIds }) : (as ?? undefined),
    openContext(browser, settings),
  ]);
  if (signedIn !== undefined) await signIn(context, server.url, signedIn);
  const faults = await watchContext(context, { origin: new URL(server.url).origin, isKeyboardOnly });
  await context.addInitScript(keepMessages, { messageMs: 10_000, waitMs: WAIT_MS });
  const following = Promise.withResolvers<void>();
  context.on('response', (response) => {
    if (new URL(response.url()).pathname === '/events/stream' && response.ok()) following.resolve();
  });
  const page = await context.newPage();
  await prepare?.(page);
  await page.goto(`${server.url}/console${path}`);
  return {
    page,
    context,
    person: signedIn,
    faults,
    following: following.promise,
    [Symbol.asyncDispose]: async () => {
      const found = faults.found();
      await context.close();
      expect(found, 'what the page must not do').toEqual([]);
    },
  };
}

/** Gives a browser the cookie of the session of a person. */
export async function signIn(context: BrowserContext, url: string, { headers }: TestPerson): Promise<void> {
  const value = headers.Authorization.replace('Bearer ', '');
  await context.addCookies([{ name: SESSION_COOKIE, value, url, httpOnly: true, sameSite: 'Lax' }]);
}
