import type { Webhook, WebhookWithSecret } from '@roster/api';
import { type Receiver, startReceiver, verified } from '@roster/server/testing/receiver';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  choose,
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  press,
  seedOffices,
  typeInto,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the webhooks', () => {
  const quickly = { retryDelaysMs: [10, 10], pollMs: 20 };
  const scene = useConsole({ server: { webhooks: quickly } });

  async function createWebhook(receiver: Receiver, fields: object = {}): Promise<WebhookWithSecret> {
    const body = { url: receiver.url, ...fields };
    const response = await scene.server.request('POST', '/webhooks', body);
    expect(response.status).toBe(201);
    return (await response.json()) as WebhookWithSecret;
  }

  async function webhook(id: string): Promise<Webhook> {
    return (await (await scene.server.request('GET', `/webhooks/${id}`)).json()) as Webhook;
  }

  const dialog = (page: Page) => page.getByRole('dialog');

  it('are created by keyboard alone, for some types of events, with a secret that verifies their messages', async () => {
    await using receiver = await startReceiver();
    await using opened = await scene.open('/webhooks', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Create a webhook' }));
    await expectAccessible(page);
    await typeInto(page, page.getByRole('textbox', { name: 'URL' }), receiver.url);
    await activate(page, page.getByRole('combobox', { name: 'Events' }), 'ArrowDown');
    await press(page, 'ArrowDown', 'Enter');
    await activate(page, page.getByRole('checkbox', { name: 'office.created' }), 'Space');
    await expectNarrow(page);
    await activate(page, page.getByRole('button', { name: 'Create', exact: true }));
    const secret = await dialog(page).getByRole('textbox', { name: 'Copy the secret now' }).inputValue();
    await activate(page, page.getByRole('button', { name: "I've saved it" }));
    await page.getByRole('cell', { name: receiver.url }).waitFor();
    await expectAccessible(page);
    await seedOffices(scene.server, 1);
    await expect.poll(() => receiver.taken.length).toBe(1);
    expect(receiver.taken.map((message) => [message.type, verified(message, secret)])).toEqual([
      ['office.created', expect.anything()],
    ]);
  });

  it('have an error at the URL if it may not be one', async () => {
    await using opened = await scene.open('/webhooks?create=true');
    const { page, faults } = opened;
    faults.expect(/status of 4\d\d/);
    const url = page.getByRole('textbox', { name: 'URL' });
    await url.fill('ftp://files.example.com');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expect.poll(() => url.getAttribute('aria-invalid')).toBe('true');
    expect(await url.inputValue()).toBe('ftp://files.example.com');
  });

  it('are tested, paused and resumed', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => ({ status: 503, body: 'closed for lunch' });
    const { id } = await createWebhook(receiver);
    await using opened = await scene.open(`/webhooks/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Test' }).click();
    await page.getByText('closed for lunch').waitFor();
    await page.getByText(/returned 503/).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Resume' }).waitFor();
    expect((await webhook(id)).status).toBe('disabled');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await webhook(id)).status).toBe('active');
  });

  it('show the attempts of each delivery with status and body, and replay from one of them', async () => {
    await using receiver = await startReceiver();
    const { id } = await createWebhook(receiver, { types: ['office.created'] });
    receiver.onMessage = ({ count }) =>
      count === 1 ? { status: 500, body: 'not just now' } : { status: 200, body: 'thank you' };
    await using opened = await scene.open(`/webhooks/${id}`, { isKeyboardOnly: true });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await seedOffices(scene.server, 1);
    const row = page.getByRole('button', { name: /office\.created.*Delivered/ });
    await activate(page, row.first());
    const attempts = page.getByRole('list', { name: 'Attempts' });
    await attempts.getByText('not just now').waitFor();
    await attempts.getByText('HTTP 200').waitFor();
    expect(new URL(page.url()).searchParams.get('delivery')).toMatch(/^[\da-f-]{36}$/);
    await expectAccessible(page);
    await expectNarrow(page);
    await activate(page, page.getByText('The event in the message'));
    await page.getByText(/"type": "office\.created"/).waitFor();
    await expectAccessible(page);
    const before = receiver.taken.length;
    await activate(page, page.getByRole('button', { name: /Replay from here/ }));
    await expectAccessible(page);
    await activate(page, dialog(page).getByRole('button', { name: 'Replay', exact: true }));
    await expect.poll(() => receiver.taken.length).toBe(before + 1);
    expect(receiver.taken.at(-1)?.id).toBe(receiver.taken[0]?.id);
  });

  it('say in words that their receiver fails, and filter deliveries by the state in the URL', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => ({ status: 500 });
    const { id } = await createWebhook(receiver, { types: ['office.created'] });
    await seedOffices(scene.server, 1);
    await expect.poll(async () => (await webhook(id)).failingSince).not.toBeNull();
    await using opened = await scene.open(`/webhooks/${id}?status=delivered`);
    const { page } = opened;
    await page.getByText('No deliveries.', { exact: false }).waitFor();
    await page.getByRole('region', { name: receiver.url }).getByText('Failing').waitFor();
    await chooseOption(page.getByLabel('State'), 'Failed');
    await page.getByRole('button', { name: /office\.created.*Failed/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
  });

  it('replay everything since a time', async () => {
    await using receiver = await startReceiver();
    const { id } = await createWebhook(receiver, { types: ['office.created'] });
    await seedOffices(scene.server, 2);
    await expect.poll(() => receiver.taken.length).toBe(2);
    await using opened = await scene.open(`/webhooks/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /Replay/ }).click();
    const since = dialog(page).getByLabel('Since');
    await dialog(page).getByRole('button', { name: 'Replay' }).click();
    await dialog(page).getByText('Enter a date and a time.').waitFor();
    await expectAccessible(page);
    await since.fill('2020-01-01T00:00');
    await dialog(page).getByRole('button', { name: 'Replay' }).click();
    await expect.poll(() => receiver.taken.length).toBeGreaterThanOrEqual(4);
    expect(new Set(receiver.taken.slice(-2).map((message) => message.type))).toEqual(
      new Set(['office.created']),
    );
  });

  it('are changed, get another secret, and are deleted only after a question', async () => {
    await using receiver = await startReceiver();
    const { id } = await createWebhook(receiver);
    await using opened = await scene.open(`/webhooks/${id}`, { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Change' }));
    await typeInto(page, dialog(page).getByRole('textbox', { name: 'Description' }), 'The website');
    await activate(page, dialog(page).getByRole('button', { name: 'Save' }));
    await page.getByRole('definition').getByText('The website').waitFor();
    const more = page.getByRole('button', { name: 'More' });
    await choose(page, more, 'Rotate the secret …');
    await activate(page, dialog(page).getByRole('button', { name: 'Rotate' }));
    await dialog(page)
      .getByText(/also signed with the previous secret until/)
      .waitFor();
    await expectAccessible(page);
    await activate(page, page.getByRole('button', { name: "I've saved it" }));
    await choose(page, more, /^Delete/);
    await dialog(page).getByText("can't be undone", { exact: false }).waitFor();
    await activate(page, dialog(page).getByRole('button', { name: 'Delete' }));
    await page.waitForURL(/\/console\/webhooks$/);
    expect((await scene.server.request('GET', `/webhooks/${id}`)).status).toBe(404);
  });
});
