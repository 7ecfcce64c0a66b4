import { sql } from 'kysely';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  expectAccessible,
  findSharedBrowser,
  hasBrowser,
  openConsole,
  startService,
} from '../support/index.ts';

/** Twelve batches, of which two are written at the same time: what cancels may have to wait for more than two. */
const ROWS = 6_000;

/** A file of agents without keys and e-mail addresses: nothing of a row would keep it from being created twice. */
function agentsFile(lastName: string) {
  const lines = Array.from({ length: ROWS }, (_, index) => `Agent ${index},${lastName}`);
  const text = ['firstName,lastName', ...lines].join('\n');
  return { name: `${lastName}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) };
}

async function check(page: Page, lastName: string): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(agentsFile(lastName));
  await page.getByRole('button', { name: 'Check all rows' }).click();
  await page.getByText('All 6,000 rows can be imported').waitFor();
}

/** Waits until some of the rows are written, but not all. */
async function begun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Import 6,000 rows' }).click();
  await expect
    .poll(async () => Number(await page.getByRole('progressbar').getAttribute('value')))
    .toBeGreaterThan(0);
}

describe.skipIf(!hasBrowser)('an import that is interrupted writes every row once', () => {
  let service: Awaited<ReturnType<typeof startService>>;
  let browser: Browser;
  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(), findSharedBrowser()]);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });
  const countOf = async (lastName: string) => {
    const response = await service.server.request('GET', `/agents?q=${lastName}&includeTotal=true&limit=1`);
    return ((await response.json()) as { total: number }).total;
  };

  /** Keeps a batch of the newest import from being written, until what it resolves to is called. */
  const holdBatch = async (batch: number) => {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const ended = service.database.db.transaction().execute(async (trx) => {
      await sql`
        select from import_row where import_id = (select max(id::text)::uuid from import) and batch = ${batch}
        for update`.execute(trx);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await ended;
    };
  };
  /** How many statements of requests, or of workers, whose connections have another name, wait for a lock. */
  const waiting = async (who: 'requests' | 'workers') => {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        and (application_name = 'roster') = ${who === 'requests'}`.execute(service.database.db);
    return rows.length;
  };

  it('by a server that goes away in the middle and comes back', async () => {
    await using opened = await openConsole(browser, service, { path: '/imports', as: 'manager' });
    const { page, faults } = opened;
    faults.expect(/ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_SOCKET|Failed to load resource/);
    await check(page, 'Outage');
    const release = await holdBatch(2);
    await begun(page);
    await Promise.all([service.stop(), release()]);
    await page.getByText("Can't reach the server").first().waitFor();
    await service.start();
    await page.getByText('Import complete').waitFor();
    expect(await countOf('Outage')).toBe(ROWS);
  });

  it('by a page that is left: another one lists the import and shows it to its end', async () => {
    await using opened = await openConsole(browser, service, { path: '/imports', as: 'manager' });
    const { page, context } = opened;
    await check(page, 'Leaving');
    const release = await holdBatch(2);
    await begun(page);
    await page.close();
    await release();
    const other = await context.newPage();
    await other.goto(`${service.url}/console/imports`);
    await other.getByRole('link', { name: 'Leaving.csv' }).click();
    await other.getByText('Import complete').waitFor();
    expect(await countOf('Leaving')).toBe(ROWS);
  });

  it('by someone who cancels it in the middle, sees what is done, and lets it go on', async () => {
    await using opened = await openConsole(browser, service, { path: '/imports', as: 'manager' });
    const { page } = opened;
    await check(page, 'Cancel');
    const release = await holdBatch(2);
    await begun(page);
    await expect.poll(() => waiting('workers')).toBe(1);
    await page.getByRole('button', { name: 'Cancel' }).click();
    // The batch waits for the test, and what cancels for the batch.
    await expect.poll(() => waiting('requests')).toBe(1);
    await release();
    await page.getByText(/^Cancelled: [\d,]+ rows written, [\d,]+ not written$/).waitFor();
    const written = await countOf('Cancel');
    expect(written).toBeGreaterThan(0);
    expect(written).toBeLessThan(ROWS);
    await expectAccessible(page);
    await page.reload();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Import complete').waitFor();
    expect(await countOf('Cancel')).toBe(ROWS);
  });
});
