import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@roster/server/testing';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findSharedBrowser, hasBrowser, openPage } from './browser.ts';
import {
  buildApplication,
  compileApplication,
  installApplication,
  removeApplication,
  resolveEverywhere,
  serveApplication,
} from './packed-application.ts';

beforeAll(async () => {
  await installApplication();
  await buildApplication();
});
afterAll(removeApplication);

describe("a React application over the packed client and tRPC's own hooks", () => {
  it('compiles, the declarations of all libraries included', async () => {
    expect(await compileApplication()).toBe('');
  });

  it('has the form of the page of the client, word for word', async () => {
    const source = await readFile(join(import.meta.dirname, '../react/src/agent-form.tsx'), 'utf8');
    const page = await readFile(join(import.meta.dirname, '../../../packages/client/README.md'), 'utf8');
    expect(page).toContain(`\n\`\`\`tsx\n${source}\`\`\`\n`);
  });

  it('has one copy of tRPC: that of the application', () => {
    for (const name of ['@trpc/client', '@trpc/server'])
      expect(new Set(resolveEverywhere(name)).size).toBe(1);
  });
});

const names = ['Aveiro', 'Braga', 'Coimbra', 'Lisboa', 'Porto'];

describe.skipIf(!hasBrowser)('in a browser', () => {
  let application: Awaited<ReturnType<typeof serveApplication>>;
  let browser: Browser;
  beforeAll(async () => {
    application = await serveApplication();
    browser = await findSharedBrowser();
  });
  afterAll(() => application?.[Symbol.asyncDispose]());

  async function startService(): Promise<TestServer> {
    const server = await startTestServer({ corsOrigins: [application.origin] });
    for (const name of names) await server.request('POST', '/offices', { name });
    return server;
  }

  it.each(['tanstack', 'classic'])(
    'reads, reads on, creates and follows with the %s hooks',
    async (hooks) => {
      await using server = await startService();
      await using opened = await openPage(browser);
      const { page } = opened;
      const given = new URLSearchParams({ tried: hooks, url: server.url, key: server.key });
      await page.goto(`${application.origin}/?${given}`);
      const offices = page.getByRole('list', { name: 'Offices' }).getByRole('listitem');
      const more = page.getByRole('button', { name: 'More' });

      await expect.poll(() => offices.allTextContents()).toEqual(names.slice(0, 2));
      await expect.poll(() => page.getByTestId('first').textContent()).toBe('Aveiro, version 1');
      await more.click();
      await expect.poll(() => offices.allTextContents()).toEqual(names.slice(0, 4));
      await more.click();
      await expect.poll(() => offices.allTextContents()).toEqual(names);
      await expect.poll(() => more.count()).toBe(0);

      await expect.poll(() => page.getByRole('status').textContent()).toBe('pending');
      await page.getByRole('textbox', { name: 'Name' }).fill('Évora');
      await page.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => offices.allTextContents()).toContain('Évora');
      const events = page.getByRole('list', { name: 'Events' }).getByRole('listitem');
      await expect.poll(() => events.allTextContents()).toEqual(['office.created']);

      await page.getByRole('textbox', { name: 'Name' }).fill(' ');
      await page.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => page.getByRole('alert').textContent()).toBe('validation_failed true');
      expect(await page.getByTestId('query-error').textContent()).toBe('');
    },
  );

  it('shows in a form of react-hook-form what the check finds, and then what only the service does', async () => {
    await using server = await startService();
    await using opened = await openPage(browser);
    const { page } = opened;
    const agent = { firstName: 'Ana', lastName: 'Reis', email: 'ana@casa.example' };
    await server.request('POST', '/agents', agent);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(
      `${application.origin}/?${new URLSearchParams({ tried: 'form', url: server.url, key: server.key })}`,
    );
    const create = page.getByRole('button', { name: 'Create' });
    const errors = () => page.getByRole('alert').allTextContents();

    await page.getByLabel('Email').fill('ana');
    await create.click();
    await expect
      .poll(errors)
      .toEqual([
        'First name is required unless lastName is set',
        'Email must be an email address such as ana@example.com',
      ]);
    expect(requests.filter((url) => url.startsWith(server.url))).toEqual([]);

    await page.getByLabel('First name').fill('Ana');
    await page.getByLabel('Last name').fill('Reis');
    await page.getByLabel('Email').fill(agent.email);
    await create.click();
    await expect.poll(errors).toEqual([expect.stringMatching(/^Email .*another agent/)]);

    await page.getByLabel('Email').fill('ana.reis@casa.example');
    await create.click();
    await expect.poll(() => page.getByRole('status').allTextContents()).toEqual(['Created']);
    const { items } = (await (await server.request('GET', '/agents?q=ana')).json()) as { items: object[] };
    expect(items).toHaveLength(2);
  });
});
