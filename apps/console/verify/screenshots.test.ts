import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, press, seedAgents, seedOffices, useConsole } from './support/index.ts';

const folder = join(import.meta.dirname, '../../../docs/images');
/** Pictures of the README are made anew only when someone asks for them: they differ by a pixel on each machine. */
const isWanted = process.env.ROSTER_TEST_SCREENSHOTS === 'true';

/** A picture, with what has to be there before. */
interface Picture {
  name: string;
  path: string;
  isDark?: boolean;
  ready: (page: Page) => Promise<unknown>;
}

describe.skipIf(!hasBrowser || !isWanted)('the pictures of the README', () => {
  let agents: string[] = [];
  const scene = useConsole({
    seed: async (server) => {
      const [main, ...branches] = await seedOffices(server, 8);
      for (const id of branches.slice(0, 3))
        await server.request('PATCH', `/offices/${id}`, { mainOfficeId: main });
      agents = await seedAgents(server, 240, { officeIds: [main as string, ...branches] });
      await server.request('PATCH', `/agents/${agents[0]}`, { phone: '+351 210 000 042', title: 'Partner' });
      await server.request('PUT', `/agents/${agents[1]}/deactivate`, { reason: 'Moved to Porto' });
    },
  });
  const pictures: Picture[] = [
    {
      name: 'list',
      path: '/agents/$agent',
      ready: async (page) => {
        await page.getByText('+351 210 000 042').first().waitFor();
        await page.getByRole('button', { name: 'Views' }).waitFor();
      },
    },
    {
      name: 'overview',
      path: '/overview',
      isDark: true,
      ready: (page) => page.getByRole('link', { name: 'Office 000001' }).waitFor(),
    },
    {
      name: 'activity',
      path: '/activity',
      ready: (page) => page.getByText('“Moved to Porto”').waitFor(),
    },
    {
      name: 'palette',
      path: '/agents',
      isDark: true,
      ready: async (page) => {
        await page.getByRole('heading', { name: 'Agents' }).waitFor();
        await press(page, 'Control+k');
        await page.getByRole('combobox', { name: /^Search for/ }).waitFor();
        await page.keyboard.type('an');
        await page.getByRole('group', { name: 'Agents' }).waitFor();
        await page.getByText('Views', { exact: true }).waitFor();
      },
    },
  ];

  it.each(pictures)(
    '$name: the picture shows the console as it is',
    async ({ name, path, isDark, ready }) => {
      await using opened = await scene.open(path.replace('$agent', agents[0] ?? ''), {
        browser: { viewport: { width: 1360, height: 720 }, colorScheme: isDark === true ? 'dark' : 'light' },
      });
      const { page } = opened;
      await ready(page);
      await page.getByText('Live', { exact: true }).waitFor();
      mkdirSync(folder, { recursive: true });
      const picture = await page.screenshot({ path: join(folder, `console-${name}.png`) });
      expect(picture.length).toBeGreaterThan(10_000);
    },
  );
});
