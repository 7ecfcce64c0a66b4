import { describe, expect, it } from 'vitest';
import {
  expectAccessible,
  expectNarrow,
  hasBrowser,
  seedAgents,
  seedOffices,
  useConsole,
} from '../support/index.ts';

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describe.skipIf(!hasBrowser)('the home page', () => {
  const scene = useConsole({
    seed: async (server) => {
      const offices = (await seedOffices(server, 2)) as string[];
      await seedAgents(server, 12, { officeIds: offices });
      const { items } = (await (await server.request('GET', '/agents?limit=12')).json()) as {
        items: { id: string }[];
      };
      const [first, second] = items;
      for (const [id, days] of [
        [first?.id, -3],
        [second?.id, 12],
      ] as const)
        await server.request('PATCH', `/agents/${id}`, {
          licenses: [{ number: `L${days}`, expiresOn: day(days) }],
        });
      const filter = { officeId: [offices[0]] };
      const change = { type: 'deactivate' };
      await server.request('POST', '/agents/bulk', { filter, change, expectedCount: 6, effectiveOn: day(3) });
      await server.request('POST', '/agents/bulk', {
        filter: { officeId: [offices[1]] },
        change: { type: 'update', patch: { title: 'Broker' } },
        expectedCount: 6,
      });
    },
  });

  it('shows licences to renew, what is scheduled, one line for each job, and the offices, in both themes', async () => {
    await using opened = await scene.open('/home');
    const { page } = opened;
    const licences = page.getByRole('region', { name: 'Licences to renew' });
    await licences.getByText('Expired').waitFor();
    expect(await licences.getByRole('link', { name: /Within 30 days/ }).textContent()).toMatch(/^1/);
    const activity = page.getByRole('region', { name: 'Recent activity' });
    await activity.getByText('Job title of 6 agents changed').waitFor();
    expect(await activity.getByRole('listitem').filter({ hasText: 'Job title' }).count()).toBe(1);
    await page
      .getByRole('region', { name: 'Offices' })
      .getByRole('link', { name: 'Office 000001' })
      .waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await licences.getByRole('link', { name: /Within 30 days/ }).click();
    await page.waitForURL(/\/agents\?.*licenseExpiresBefore/);
  });

  it('leads to what a job has scheduled for this week, where it is cancelled', async () => {
    await using opened = await scene.open('/home');
    const { page } = opened;
    const week = page.getByRole('region', { name: 'Scheduled this week' });
    await week.getByText('6 agents are deactivated').waitFor();
    await week.getByRole('link', { name: 'All 6' }).waitFor();
    await week.getByRole('link', { name: '6 agents' }).click();
    await page.waitForURL(/\/scheduled-changes\?.*jobId=/);
    await page.getByRole('button', { name: /Cancel all/ }).waitFor();
  });

  it('offers to undo a job in place of who made it, while the pointer or the focus is on its line', async () => {
    await using opened = await scene.open('/home');
    const { page } = opened;
    const line = page.getByRole('listitem').filter({ hasText: 'Job title of 6 agents changed' });
    const undo = line.getByRole('button', { name: 'Undo' });
    const opacity = () =>
      undo.evaluate((button) => getComputedStyle(button.parentElement as Element).opacity);
    await undo.waitFor();
    expect(await opacity()).toBe('0');
    await undo.focus();
    expect(await opacity()).toBe('1');
    await undo.blur();
    await line.hover();
    expect(await opacity()).toBe('1');
    await undo.click();
    await page.getByRole('dialog').getByText('Fields that have changed since are kept.').waitFor();
  });
});
