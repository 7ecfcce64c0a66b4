import type { Page } from 'playwright-core';

/** Opens the details of every change in the history of a record. */
export async function openChanges(page: Page): Promise<void> {
  const closed = page
    .getByRole('region', { name: 'Changes, newest first' })
    .getByRole('button', { expanded: false });
  await closed.first().waitFor();
  while ((await closed.count()) > 0) await closed.first().click();
}
