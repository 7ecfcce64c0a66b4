import type { ScheduledChange } from '@roster/api';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import {
  activate,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  seedAgents,
  seedOffices,
  tabTo,
  useConsole,
} from '../support/index.ts';

/** A day of a month in some years, which no test reaches: `day('05-01')`. */
const day = (monthAndDate: string) => `${new Date().getFullYear() + 5}-${monthAndDate}`;

describe.skipIf(!hasBrowser)('the scheduled changes', () => {
  let offices: string[] = [];
  let agents: string[] = [];
  const scene = useConsole({
    seed: async (server) => {
      offices = await seedOffices(server, 3);
      agents = await seedAgents(server, 6, { officeIds: offices });
    },
  });

  /** Schedules a change of an agent, and returns it. */
  async function schedule(agent: number, verb: string, body: object): Promise<ScheduledChange> {
    const id = agents[agent];
    const response = await scene.server.request('PUT', `/agents/${id}/${verb}`, body);
    expect(response.status, await response.clone().text()).toBe(200);
    const list = await scene.server.request('GET', `/scheduled-changes?subject=${id}&sort=-scheduledAt`);
    const [latest] = ((await list.json()) as { items: ScheduledChange[] }).items;
    if (latest === undefined) throw new Error('Nothing was scheduled.');
    return latest;
  }

  async function statusOf(id: string): Promise<string> {
    const response = await scene.server.request('GET', `/scheduled-changes/${id}`);
    return ((await response.json()) as ScheduledChange).status;
  }

  it('are cancelled by keyboard alone, after a question, and lead to their record', async () => {
    const { id } = await schedule(0, 'deactivate', { effectiveOn: day('05-01'), reason: 'Retires' });
    await using opened = await scene.open('/scheduled-changes', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('link', { name: 'Ana Almeida 000001' }));
    await page.getByText('Retires').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await activate(page, page.getByRole('button', { name: 'Cancel deactivation' }).last());
    await expectAccessible(page);
    await activate(page, page.getByRole('dialog').getByRole('button', { name: 'Cancel deactivation' }));
    await page.getByRole('definition').getByText('Cancelled').waitFor();
    expect(await statusOf(id)).toBe('cancelled');
    const record = page.getByRole('definition').getByRole('link', { name: 'Ana Almeida 000001' });
    await tabTo(page, record);
    expect(await record.getAttribute('href')).toMatch(new RegExp(`/console/agents/${agents[0]}`));
  });

  it('that failed say why', async () => {
    const { id } = await schedule(1, 'transfer', { officeId: offices[2], effectiveOn: day('04-01') });
    await scene.server.request('PUT', `/offices/${offices[2]}/deactivate`, { cascade: true });
    await sql`update scheduled_change set due_at = now() - interval '1 s' where id = ${id}`.execute(
      scene.server.database.db,
    );
    await using opened = await scene.open(`/scheduled-changes/${id}`);
    const { page } = opened;
    await expect.poll(() => statusOf(id)).toBe('failed');
    await page.getByRole('alert').getByText('office_inactive').waitFor();
    await page.getByRole('definition').getByText('Failed').waitFor();
    await expectAccessible(page);
  });

  it('are filtered by state, office and day, all in the URL', async () => {
    await schedule(2, 'transfer', { officeId: offices[1], effectiveOn: day('01-10') });
    await schedule(3, 'deactivate', { effectiveOn: day('01-20') });
    await schedule(4, 'deactivate', { effectiveOn: day('02-20') });
    await using opened = await scene.open('/scheduled-changes');
    const { page } = opened;
    const rows = page.getByRole('table', { name: 'Scheduled changes' }).getByRole('row');
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByLabel('From day').fill(day('01-05'));
    await page.getByLabel('To day').fill(day('01-31'));
    await expect.poll(() => rows.count()).toBe(3);
    await page.getByRole('combobox', { name: 'Transfers to the office' }).fill('Office 000002');
    await page.getByRole('option', { name: /Office 000002/ }).click();
    await expect.poll(() => rows.count()).toBe(2);
    await expectAccessible(page);
    const url = new URL(page.url());
    expect(url.searchParams.get('officeId')).toBe(offices[1]);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(2);
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('');
  });

  it('that somebody else schedules appear without a reload', async () => {
    await using opened = await scene.open('/scheduled-changes', { as: 'viewer' });
    const { page, following } = opened;
    await page.getByRole('heading', { name: 'Scheduled changes', level: 1 }).waitFor();
    await following;
    await schedule(5, 'deactivate', { effectiveOn: day('03-01') });
    await page.getByRole('link', { name: /000006/ }).click();
    await page.getByRole('heading', { name: 'Deactivate' }).waitFor();
    expect(await page.getByRole('button', { name: /^Cancel d/ }).count()).toBe(0);
  });
});
