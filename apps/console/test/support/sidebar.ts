import type { Page } from 'playwright-core';

/** Unfolds the operations of the sidebar (people, API keys, webhooks, sessions), which stay unfolded in this browser. */
export async function unfoldOperations(page: Page): Promise<void> {
  const sidebar = page.getByRole('navigation', { name: 'Main' });
  await sidebar.getByText('Operations', { exact: true }).click();
  await sidebar.getByRole('link', { name: 'Sessions' }).waitFor();
}
