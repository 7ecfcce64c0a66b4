import { sql } from 'kysely';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chooseOption, expectAccessible, hasBrowser, seedOffices, useConsole } from '../support/index.ts';

describe.skipIf(!hasBrowser)('the activity', () => {
  let ids: string[] = [];
  const scene = useConsole({
    server: { licenseNoticeDays: [30] },
    seed: async (server) => {
      ids = await seedOffices(server, 120);
    },
  });
  const changesOf = (page: Page) => page.getByRole('list', { name: 'Changes' });
  const change = async (id: string | undefined, patch: object) => {
    const response = await scene.server.request('PATCH', `/offices/${id}`, patch);
    expect(response.status).toBe(200);
  };

  it('says who changed what, from which value to which, with a link to the record', async () => {
    await change(ids[0], { phone: '+351210000042' });
    await using opened = await scene.open(`/activity?subject=${ids[0]}`);
    const { page } = opened;
    const item = changesOf(page).locator('> li').filter({ hasText: 'Phone of' });
    await item.getByRole('button', { name: 'Show what was changed' }).click();
    await item.getByText('+351 21 000 0042').waitFor();
    await expectAccessible(page);
    await item.getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/offices/${ids[0]}`));
  });

  it('adds what happens meanwhile only when it is asked to, so that nothing moves', async () => {
    await using opened = await scene.open('/activity');
    const { page, following } = opened;
    await changesOf(page)
      .getByText(/created$/)
      .first()
      .waitFor();
    await following;
    const count = await changesOf(page).locator('> li').count();
    await change(ids[1], { phone: '+351210000077' });
    const pill = page.getByRole('button', { name: /Show 1 new change/ });
    await pill.waitFor();
    expect(
      await changesOf(page)
        .getByText(/^Phone/)
        .count(),
    ).toBe(1);
    await pill.click();
    await expect
      .poll(() =>
        changesOf(page)
          .getByText(/^Phone/)
          .count(),
      )
      .toBe(2);
    expect(await changesOf(page).locator('> li').count()).toBeGreaterThan(count);
  });

  it('goes back to the first change, page by page', async () => {
    await using opened = await scene.open('/activity?types=office.created');
    const { page } = opened;
    const more = page.getByRole('button', { name: 'Show older changes' });
    await changesOf(page)
      .getByText(/created$/)
      .first()
      .waitFor();
    const end = page.getByText('End of list.');
    const items = changesOf(page).locator('> li');
    while (!(await end.isVisible())) {
      const count = await items.count();
      await more.click();
      await expect.poll(async () => (await items.count()) > count || (await end.isVisible())).toBe(true);
    }
    expect(
      await changesOf(page)
        .getByText(/created$/)
        .count(),
    ).toBeGreaterThanOrEqual(120);
  });

  it('groups changes by day, and shows the notices of licences only to who asks for them, with the day of their end', async () => {
    const expiresOn = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
    await change(ids[2], { licenses: [{ number: 'L-000042', expiresOn }] });
    const noticed = async () =>
      (
        await scene.server.request('GET', `/events?types=office.license_expiring&subject=${ids[2]}&after=0`)
      ).text();
    await expect.poll(noticed).toContain('L-000042');
    await using opened = await scene.open('/activity');
    const { page } = opened;
    await changesOf(page)
      .getByText(/changed$/)
      .first()
      .waitFor();
    expect(await changesOf(page).getByText('Licence of an office expires').count()).toBe(0);
    const days = await changesOf(page)
      .locator('> li time')
      .evaluateAll(
        (times) =>
          new Set(times.map((time) => new Date((time as HTMLTimeElement).dateTime).toDateString())).size,
      );
    expect(await changesOf(page).count()).toBe(days);
    await chooseOption(page.getByRole('combobox', { name: 'Events' }), 'Licence of an office expires');
    const notice = changesOf(page).locator('> li').filter({ hasText: 'Licence of an office expires' });
    await notice.getByRole('button', { name: 'Show what was changed' }).click();
    await notice.getByText('L-000042: expires after').waitFor();
    expect(await notice.locator(`time[datetime="${expiresOn}"]`).count()).toBe(1);
    await expectAccessible(page);
  });

  it('keeps its filters in the URL', async () => {
    await using opened = await scene.open('/activity');
    const { page } = opened;
    await chooseOption(page.getByRole('combobox', { name: 'Events' }), 'Office changed');
    await expect.poll(() => page.url()).toContain('types=office.updated');
    await expect
      .poll(() =>
        changesOf(page)
          .getByText(/created$/)
          .count(),
      )
      .toBe(0);
    await page.reload();
    await changesOf(page)
      .getByText(/changed$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await changesOf(page)
      .getByText(/created$/)
      .first()
      .waitFor();
  });

  it('says below which changes the log only keeps the latest of each record', async () => {
    await sql`update event_log set compacted_to = last_position`.execute(scene.server.database.db);
    await using opened = await scene.open(`/activity?subject=${ids[3]}`);
    const { page } = opened;
    await changesOf(page)
      .getByText(/created$/)
      .first()
      .waitFor();
    await page.getByText('For older changes, the log only keeps the latest change of each record.').waitFor();
  });
});
