import { createPersonAtSignIn } from '@roster/api/testing';
import type { StoredGrant } from '@roster/db';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import type { IdentityProviderConfig } from '../../../src/config/sign-in-settings.ts';
import { startTestServer, type TestServer } from '../index.ts';
import { TestBrowser } from './browser.ts';
import { startIdentityProvider, type TestIdentityProvider } from './identity-provider.ts';

/** Where browsers reach the service. */
export const PUBLIC = 'https://roster.example';
export const SESSION_COOKIE = '__Host-roster_session';

const viewer: readonly StoredGrant[] = [{ role: 'viewer', officeIds: null }];

interface AccountOptions {
  /** Claims beside those that every account has. */
  claims?: object;
  isInvited?: boolean;
  grants?: readonly StoredGrant[];
}

/** A service of two servers, and an identity provider for it. */
export interface SignInFixture extends AsyncDisposable {
  provider: TestIdentityProvider;
  server: TestServer;
  /** The second server. */
  other: TestServer;
  /** Makes an account at the provider, of the next who signs in, and invites them with the role viewer. Returns the `sub`. */
  account(options?: AccountOptions): Promise<string>;
  /** A browser with no cookies, which is led to the first server unless to another. */
  browser(at?: TestServer): TestBrowser;
}

/** Starts both servers and the provider. */
export async function startSignInFixture(
  settings: Partial<IdentityProviderConfig> = {},
): Promise<SignInFixture> {
  const provider = await startIdentityProvider({ publicUrl: PUBLIC });
  const options = { publicUrl: PUBLIC, identityProvider: { ...provider.config, ...settings } };
  const server = await startTestServer(options);
  provider.serviceUrl = server.url;
  const other = await startTestServer({ ...options, database: server.database, connection: {} });
  let count = 0;
  return {
    provider,
    server,
    other,
    account: async ({ claims, isInvited = true, grants = viewer } = {}) => {
      count += 1;
      const sub = `person-${count}`;
      const email = `${sub}@atlantico.example`;
      provider.accounts.set(sub, { email, email_verified: true, name: 'Ana Martins', ...claims });
      provider.user = sub;
      const cause = { now: new Date(), requestId: 'test' };
      if (isInvited) await createPersonAtSignIn(server.database.db, { name: 'Ana', email, grants }, cause);
      return sub;
    },
    browser: (at = server) => new TestBrowser({ [PUBLIC]: at.url }),
    [Symbol.asyncDispose]: async () => {
      await other[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

/** Both servers and the provider for the tests of a file; the provider is up before each of them. */
export function useSignIn(): () => SignInFixture {
  let service: SignInFixture;
  beforeAll(async () => {
    service = await startSignInFixture();
  });
  afterAll(() => service[Symbol.asyncDispose]());
  beforeEach(() => {
    service.provider.isDown = false;
  });
  return () => service;
}

/** Signs in at the provider, which asks for nothing. */
export function signIn(browser: TestBrowser, path = '/sign-in'): Promise<Response> {
  return browser.navigate(`${PUBLIC}${path}`);
}

/** The token of the session of a browser. */
export function sessionOf(browser: TestBrowser): string | undefined {
  return browser.cookie(PUBLIC, SESSION_COOKIE);
}

/** The status of a read that a page of the service makes. */
export async function statusOf(browser: TestBrowser): Promise<number> {
  const response = await browser.fetch(`${PUBLIC}/offices?limit=1`);
  await response.arrayBuffer();
  return response.status;
}

/** Begins a sign-in and goes on at the provider until that sends the browser back. Returns the address it is sent to. */
export async function untilCallback(browser: TestBrowser): Promise<string> {
  let at = `${PUBLIC}/sign-in`;
  while (!at.startsWith(`${PUBLIC}/sign-in/callback`)) {
    const response = await browser.visit(at);
    at = new URL(response.headers.get('Location') ?? '', at).href;
  }
  return at;
}

/** Expects that a sign-in was rejected with a page, and gave no session. */
export async function expectFailure(response: Response, code: string, browser: TestBrowser): Promise<void> {
  expect(response.status).toBe(code === 'sign_in_denied' ? 403 : 400);
  expect(response.headers.get('Content-Type')).toBe('text/html; charset=utf-8');
  expect(sessionOf(browser)).toBe(undefined);
}
