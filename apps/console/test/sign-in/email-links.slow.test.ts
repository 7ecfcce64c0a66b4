import type { TestServer } from '@roster/server/testing';
import { startMailServer } from '@roster/server/testing/mail';
import { personWith, type TestPerson } from '@roster/server/testing/people';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectNarrow,
  findSharedBrowser,
  hasBrowser,
  openConsole,
  startConsoleServer,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('a link by email', () => {
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let server: TestServer;
  let browser: Awaited<ReturnType<typeof findSharedBrowser>>;
  let person: TestPerson;
  beforeAll(async () => {
    mail = await startMailServer();
    [server, browser] = await Promise.all([startConsoleServer({ mail: mail.config }), findSharedBrowser()]);
    person = await personWith(server, [{ role: 'editor', officeIds: null }], 'Marta Dias');
  });
  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await mail?.[Symbol.asyncDispose]();
  });

  const open = (path: string) => openConsole(browser, server, { path, as: null });

  async function nextLink(): Promise<string> {
    await expect.poll(() => mail.messages.length).toBe(1);
    const [message] = mail.messages.splice(0);
    const text = message?.text.replaceAll('=\r\n', '') ?? '';
    return /http:\S+\/console\/sign-in\/email#[\w-]{43}/.exec(text)?.[0] ?? '';
  }

  it('signs in with a click, once, and the page that asked continues where it began', async () => {
    await using opened = await open('/agents');
    const { page, context, faults } = opened;
    faults.expect(/status of 40[01]/);
    const { email } = person;
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await page.getByText(`We sent a link to ${email}.`).waitFor();
    await expectAccessible(page);
    const first = await nextLink();
    await page.getByRole('button', { name: 'Send it again' }).click();
    await page.getByText('Sent again.').waitFor();
    const newest = await nextLink();
    const other = await context.newPage();
    await other.goto(first);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('alert').filter({ hasText: 'replaced by a newer one' }).waitFor();
    await expectAccessible(other);
    await other.getByRole('link', { name: 'Ask for a new link' }).waitFor();
    await other.goto('about:blank');
    await other.goto(newest);
    await expectAccessible(other);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('button', { name: /^Account of Marta Dias/ }).waitFor();
    await page.waitForURL(/\/console\/agents/);
    await page.getByRole('button', { name: /^Account of Marta Dias/ }).waitFor();
  });

  it('leads back to the other ways to sign in, and leaves the key in reach', async () => {
    await using opened = await open('/sign-in');
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Email' }).fill('nobody@atlantico.example');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('button', { name: 'Sign in another way' }).click();
    await page.getByText('Sign in with an API key').click();
    await page.getByRole('textbox', { name: 'API key' }).fill(server.key);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
    expect(mail.messages).toEqual([]);
  });
});
