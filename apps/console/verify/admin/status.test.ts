import { startReceiver } from '@roster/server/testing/receiver';
import { describe, expect, it } from 'vitest';
import { expectAccessible, expectNarrow, hasBrowser, seedOffices, useConsole } from '../support/index.ts';

describe.skipIf(!hasBrowser)('the status', () => {
  const scene = useConsole({ server: { webhooks: { retryDelaysMs: [60_000], pollMs: 20 } } });

  it('says in words that all is well, and shows the queues and the server', async () => {
    await using opened = await scene.open('/status');
    const { page } = opened;
    await page.getByRole('status').getByText('Everything works.').waitFor();
    const queues = page.getByRole('table', { name: 'Queues' });
    expect(await queues.getByRole('row').count()).toBe(5);
    expect(await queues.getByText('On time').count()).toBe(4);
    await page.getByRole('definition').getByText('Closed: works').first().waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
  });

  it('is read again by itself, and says what is wrong', async () => {
    await using receiver = await startReceiver();
    receiver.onMessage = () => ({ status: 500 });
    await using opened = await scene.open('/status');
    const { page } = opened;
    await page.getByRole('status').getByText('Everything works.').waitFor();
    await scene.server.request('POST', '/webhooks', { url: receiver.url });
    await seedOffices(scene.server, 1);
    await page.getByRole('status').getByText('1 webhook is failing.').waitFor();
    await expectAccessible(page);
  });

  it('stays what it was when it cannot be read, and says so', async () => {
    await using opened = await scene.open('/status');
    const { page, context, faults } = opened;
    const queues = page.getByRole('table', { name: 'Queues' });
    await queues.waitFor();
    faults.expect(/ERR_INTERNET_DISCONNECTED|ERR_FAILED/);
    await context.setOffline(true);
    await page
      .getByRole('alert')
      .getByText(/cannot be reached|No response/)
      .first()
      .waitFor();
    expect(await queues.isVisible()).toBe(true);
    await expect.poll(() => page.getByRole('status').getByText('Everything works.').count()).toBe(0);
  });

  it('is for those who may read it alone', async () => {
    await using opened = await scene.open('/status', { as: 'manager' });
    const { page, faults } = opened;
    faults.expect(/status of 403/);
    await page.getByText('It needs the right: Read the status of the service.').waitFor();
    expect(await page.getByRole('navigation').getByRole('link', { name: 'Status' }).count()).toBe(0);
  });
});
