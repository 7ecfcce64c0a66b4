import { startTestServer, type TestServer } from '@roster/server/testing';
import type { Browser, Dialog, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSharedBrowser, hasBrowser, openContext, openPage, watchPolicy } from './browser.ts';

interface Operation {
  method: string;
  path: string;
  tag: string;
  /** The reason why the page can make nothing to try it on; undefined if it can. */
  reason?: string | undefined;
}

interface Document {
  paths: Record<string, Record<string, { tags: string[]; 'x-example'?: { reason?: string } }>>;
}

describe.skipIf(!hasBrowser)('the page of the operations', () => {
  let server: TestServer;
  let browser: Browser;
  let operations: Operation[];
  beforeAll(async () => {
    server = await startTestServer();
    const office = await server.request('POST', '/offices', { name: 'Atlântico' });
    const { id: officeId } = (await office.json()) as { id: string };
    await server.request('POST', '/agents', { firstName: 'Ana', lastName: 'Reis', officeId });
    const { paths } = (await (await server.request('GET', '/docs/openapi.json')).json()) as Document;
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { tags, 'x-example': example }]) => ({
        method,
        path,
        tag: String(tags[0]),
        reason: example?.reason,
      })),
    );
    browser = await findSharedBrowser();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  /**
   * Opens the form of an operation and sends it as it is. Returns the status, of the path without any parameter, or what the page says in
   * a dialog in place of it.
   */
  async function press(page: Page, { method, path, tag }: Operation): Promise<number | string> {
    const section = tag.toLowerCase().replaceAll(' ', '-');
    await page.evaluate(`location.hash = '#tag/${section}/${method.toUpperCase()}${path}'`);
    // By events, because waiting until nothing moves any more takes most of the time.
    await page.locator('button', { hasText: `Test Request(${method} ${path})` }).dispatchEvent('click');
    const pattern = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
      /id$/i.test(name) ? '[0-9a-f-]{36}' : String.raw`\w+`,
    );
    const url = new RegExp(`^${server.url}${pattern}$`);
    const answered = page
      .waitForResponse(
        (response) => response.request().method() === method.toUpperCase() && url.test(response.url()),
      )
      .then((response) => response.status());
    const { promise: told, resolve: tell } = Promise.withResolvers<string>();
    const onDialog = (dialog: Dialog) => {
      tell(dialog.message());
      void dialog.dismiss();
    };
    page.on('dialog', onDialog);
    await page
      .locator('button', { hasText: /^\s*Send/ })
      .first()
      .dispatchEvent('click');
    // What is not answered is waited for until the page is closed.
    answered.catch(() => undefined);
    return await Promise.race([answered, told]).finally(() => page.off('dialog', onDialog));
  }

  it('accepts the first "Test Request" of every operation, with the key filled in once, or says why it has nothing to try it on', async () => {
    await using opened = await openPage(browser);
    const { page } = opened;
    await page.goto(`${server.url}/docs/`);
    await page.getByPlaceholder('Token').fill(server.key);
    expect(operations.length).toBeGreaterThan(30);
    const unexpected: string[] = [];
    for (const operation of operations) {
      const { method, path, reason } = operation;
      const result = await press(page, operation);
      // Where nothing can be made to try it on, the page says so and sends nothing.
      const isExpected =
        reason === undefined
          ? [200, 201, 202, 204].includes(Number(result))
          : String(result).includes(reason);
      if (!isExpected) unexpected.push(`${method} ${path}: ${result}`);
    }
    expect(unexpected).toEqual([]);
    // What is tried on an example is never a record in use.
    const { items } = (await (await server.request('GET', '/offices?q=Atl%C3%A2ntico')).json()) as {
      items: { name: string; version: number; status: string }[];
    };
    expect(items).toContainEqual(
      expect.objectContaining({ name: 'Atlântico', version: 1, status: 'active' }),
    );
  });

  it('accepts them with the session of a person who is signed in, without a key', async () => {
    await using opened = await openPage(browser);
    const { page } = opened;
    await page.goto(`${server.url}/docs/`);
    const signIn = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const init = JSON.stringify({ ...signIn, body: JSON.stringify({ key: server.key }) });
    expect(await page.evaluate(`fetch('/sign-in/key', ${init}).then(({ status }) => status)`)).toBe(204);
    const ofOffices = operations.filter(({ path }) => path === '/offices' || path === '/offices/{id}');
    const statuses = [];
    for (const operation of ofOffices) statuses.push([operation.method, await press(page, operation)]);
    expect(statuses.toSorted()).toEqual([
      ['delete', 204],
      ['get', 200],
      ['get', 200],
      ['patch', 200],
      ['post', 201],
    ]);
  });

  it('says that it is loading, with a way on, before its script is there', async () => {
    await using opened = await openPage(browser);
    const { page } = opened;
    const held = Promise.withResolvers<void>();
    await page.route('**/docs/js/**', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.goto(`${server.url}/docs/`, { waitUntil: 'commit' });
    const status = page.getByRole('status').filter({ hasText: 'Loading the operations of Roster' });
    await status.waitFor();
    await expect(page.getByRole('link', { name: 'the errors' }).isVisible()).resolves.toBe(true);
    held.resolve();
    await page.getByRole('heading', { name: 'Offices' }).first().waitFor();
    expect(await status.count()).toBe(0);
  });

  it('is shown with its styles, and runs no script that is written into it or its errors', async () => {
    for (const path of ['/docs/', '/docs/errors']) {
      const context = await openContext(browser);
      const page = await context.newPage();
      const violated: string[] = [];
      await watchPolicy(page, (directive) => violated.push(directive));
      await page.goto(`${server.url}${path}`);
      await page.getByRole('heading').first().waitFor();
      expect(violated, path).toEqual([]);
      await page.evaluate(`
        const script = document.createElement('script');
        script.textContent = 'hasRun = true';
        const base = document.createElement('base');
        base.href = 'https://evil.example/';
        const form = document.createElement('form');
        form.action = '/offices';
        document.head.append(script, base);
        document.body.append(form);
        form.submit();`);
      await expect
        .poll(() => violated.toSorted(), { message: path })
        .toEqual(['base-uri', 'form-action', 'script-src-elem']);
      expect(await page.evaluate(`typeof hasRun + document.baseURI`)).toBe(`undefined${server.url}${path}`);
      await context.close();
    }
  });
});
