import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { TestBrowser } from '../support/auth/browser.ts';
import {
  expectFailure,
  PUBLIC,
  signIn,
  statusOf,
  untilCallback,
  useSignIn,
} from '../support/auth/sign-in.ts';
import { startTestServer } from '../support/index.ts';
import { expectProblem } from '../support/problems.ts';

const service = useSignIn();

describe('a sign-in at the identity provider', () => {
  it('can be finished by another server than the one on which it began', async () => {
    await service().account();
    const hosts = { [PUBLIC]: service().server.url };
    const browser = new TestBrowser(hosts);
    const callback = await untilCallback(browser);
    hosts[PUBLIC] = service().other.url;
    expect((await browser.visit(callback)).status).toBe(200);
    expect(await statusOf(browser)).toBe(200);
  });

  it('makes one person of several first sign-ins at the same time', async () => {
    await service().account();
    const browsers = [1, 2, 3, 4].map(() => service().browser());
    const callbacks = await Promise.all(browsers.map((browser) => untilCallback(browser)));
    const responses = await Promise.all(
      browsers.map((browser, index) => browser.visit(callbacks[index] ?? '')),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('nobody is signed in', () => {
  it('by a code that has expired', async () => {
    await service().account();
    service().provider.codeTtlS = 1;
    const browser = service().browser();
    const callback = await untilCallback(browser);
    service().provider.codeTtlS = 60;
    await setTimeout(2_000);
    const response = await browser.visit(callback);
    expect(await response.clone().text()).toContain('The identity provider responded invalid_grant.');
    await expectFailure(response, 'sign_in_failed', browser);
  });

  it('by the same callback twice at the same time', async () => {
    await service().account();
    const browser = service().browser();
    const callback = await untilCallback(browser);
    const responses = await Promise.all([browser.visit(callback), browser.visit(callback)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('while the identity provider is down', () => {
  it('a sign-in gets 503 with Retry-After, and works again afterwards', async () => {
    await service().account();
    await using fresh = await startTestServer({
      publicUrl: PUBLIC,
      identityProvider: service().provider.config,
      database: service().server.database,
      connection: {},
    });
    service().provider.isDown = true;
    const browser = service().browser(fresh);
    const response = await signIn(browser);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
    await expectProblem(await fetch(`${fresh.url}/sign-in`), 'unavailable');
    service().provider.isDown = false;
    expect((await signIn(browser)).status).toBe(200);
  });

  it('a sign-in that comes back gets 503', async () => {
    await service().account();
    const browser = service().browser();
    const callback = await untilCallback(browser);
    service().provider.isDown = true;
    const response = await browser.visit(callback);
    expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '5']);
  });

  it('sessions go on', async () => {
    await service().account();
    const browser = service().browser();
    await signIn(browser);
    service().provider.isDown = true;
    expect(await statusOf(browser)).toBe(200);
  });
});

it('goes on after the identity provider has replaced its keys', async () => {
  await service().account();
  expect((await signIn(service().browser())).status).toBe(200);
  // The keys are fetched at most once a second.
  await setTimeout(1_000);
  service().provider.rotateKeys();
  expect((await signIn(service().browser())).status).toBe(200);
});
