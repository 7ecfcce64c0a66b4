import type { Browser, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openContext } from '../../../apps/console/test/support/browser.ts';

export { findSharedBrowser, hasBrowser, openContext } from '../../../apps/console/test/support/browser.ts';

/** Notes the directives of its policy that a page violates. */
export async function watchPolicy(page: Page, note: (directive: string) => void): Promise<void> {
  await page.exposeFunction('noteViolation', note);
  // Zod tries once whether it may compile functions, and works without.
  await page.addInitScript(`
    addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      if (blockedURI !== 'eval') noteViolation(effectiveDirective);
    })`);
}

/** A page whose errors, violations of its policy, and requests to another machine fail the test when it is disposed of. */
export async function openPage(browser: Browser): Promise<{ page: Page } & AsyncDisposable> {
  const context = await openContext(browser);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  await watchPolicy(page, (violation) => faults.push(`it violated ${violation}`));
  page.on('request', (request) => {
    const { protocol, hostname, href } = new URL(request.url());
    if (/^https?:$/.test(protocol) && hostname !== '127.0.0.1') faults.push(`it asked ${href}`);
  });
  return {
    page,
    [Symbol.asyncDispose]: async () => {
      await context.close();
      expect(faults).toEqual([]);
    },
  };
}
