import { describe, expect, it } from 'vitest';
import { expectAccessible, hasBrowser, seedAgents, seedOffices, useConsole } from '../support/index.ts';

describe.skipIf(!hasBrowser)('the console', () => {
  const scene = useConsole({
    seed: async (server) => seedAgents(server, 20, { officeIds: await seedOffices(server, 3) }),
  });

  it('shows the list to someone who is signed in, at the address it was opened at', async () => {
    await using opened = await scene.open('/offices', { as: 'viewer' });
    await opened.page.getByText('Office 000003').waitFor();
    expect(new URL(opened.page.url()).pathname).toBe('/console/offices');
    await expectAccessible(opened.page);
  });

  it('leads who is not signed in to the sign-in, and back with a key', async () => {
    await using opened = await scene.open('/offices', { as: null });
    const { page, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByRole('textbox').waitFor();
    await expectAccessible(page);
    await page.getByRole('textbox').fill(scene.server.key);
    await page.keyboard.press('Enter');
    await page.getByText('Office 000003').waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/offices');
  });
});
