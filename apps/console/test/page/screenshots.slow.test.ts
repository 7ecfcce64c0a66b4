import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createRecord } from '../support/directory.ts';
import { hasBrowser, spreadOverMonths, useConsole } from '../support/index.ts';

const folder = join(import.meta.dirname, '../../../../docs/images');
/** Lists, charts and faces are loaded by then. */
const SETTLED_MS = 2_000;
/** The pictures are taken only on request: they differ by a pixel on each machine. */
const isWanted = process.env.ROSTER_TEST_SCREENSHOTS === 'true';

describe.skipIf(!hasBrowser || !isWanted)('the pictures of the documents', () => {
  const scene = useConsole();
  let agent = '';
  beforeAll(async () => {
    const marta = await scene.person('admin', undefined, 'Marta Antunes');
    const read = async <Body>(...call: Parameters<typeof fetch>) =>
      (await (await fetch(...call)).json()) as Body;
    const send = (method: string, path: string, body?: object, type = 'application/json') =>
      read<{ items: { id: string }[] }>(`${scene.server.url}${path}`, {
        method,
        headers: { ...marta.headers, 'Content-Type': type },
        ...(body && { body: JSON.stringify(body) }),
      });
    const found = async (resource: string, key: string) => {
      const { items } = await send('GET', `/${resource}?sourceName=Sample MLS&sourceKey=${key}`);
      return items[0]?.id ?? '';
    };
    await using opened = await scene.open('/offices', { as: marta });
    await opened.page.getByRole('button', { name: 'Load samples' }).click();
    await opened.page.getByText(/^Samples loaded/).waitFor();
    await spreadOverMonths(scene.server, 14);
    agent = await found('agents', 'AGT-00003');
    const patch = (path: string, body: object) => send('PATCH', path, body, 'application/merge-patch+json');
    await patch(`/offices/${await found('offices', 'OFF-0007')}`, { phone: '+44 20 7946 0100' });
    const officeId = await found('offices', 'OFF-0002');
    await send('PUT', `/agents/${await found('agents', 'AGT-00008')}/transfer`, {
      officeId,
      reason: 'Opens the desk for the coast',
    });
    await patch(`/agents/${await found('agents', 'AGT-00040')}`, {
      languages: ['en', 'fr'],
      designations: ['MRICS'],
    });
    await send('PUT', `/agents/${await found('agents', 'AGT-00024')}/deactivate`, { reason: 'Retired' });
    await patch(`/agents/${agent}`, { title: 'Partner', phone: '+351 213 000 142' });
    // Two people who are there twice, of whom one is merged.
    const twins = [
      ['Gonçalo', 'd’Orey', '+351 912 000 402'],
      ['Goncalo', 'Dorey', '+351 912 000 402'],
      ['Helena', 'García', '+351 912 000 187'],
      ['Helena', 'Garcia', '+351 912 000 187'],
    ] as const;
    const ids: string[] = [];
    for (const [firstName, lastName, phone] of twins) {
      const { id } = await createRecord(scene.server, 'agents', { firstName, lastName, phone, officeId });
      ids.push(id);
    }
    const pairs = async () => (await send('GET', '/agents/duplicates')).items;
    await vi.waitUntil(async () => (await pairs()).length === 2, { timeout: 30_000, interval: 200 });
    await send('POST', `/agents/${ids[2]}/merge`, { duplicateId: ids[3] });
  });

  it('the picture shows the console as it is', async () => {
    await using opened = await scene.open(`/agents/${agent}`, {
      as: await scene.person('admin', undefined, 'Marta Antunes'),
      browser: { viewport: { width: 1360, height: 800 }, deviceScaleFactor: 1.5 },
    });
    const { page } = opened;
    await page.getByText('+351 21 300 0142').first().waitFor();
    await page.getByRole('navigation', { name: 'Views' }).first().waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    mkdirSync(folder, { recursive: true });
    const picture = await page.screenshot({ path: join(folder, 'console-list.png') });
    expect(picture.length).toBeGreaterThan(10_000);
  });

  it.each([
    ['overview', () => '/home'],
    ['history', () => `/agents/${agent}/history`],
    ['activity', () => '/activity'],
    ['duplicates', () => '/duplicates'],
  ])('the picture %s of the tour shows the page as it is', async (name, path) => {
    await using opened = await scene.open(path(), {
      as: await scene.person('admin', undefined, 'Marta Antunes'),
      browser: { viewport: { width: 1200, height: 720 } },
    });
    const { page } = opened;
    await page.locator('main').getByRole('heading').first().waitFor();
    // The page keeps a stream of events open, so that its network is never idle.
    await page.waitForTimeout(SETTLED_MS);
    const picture = await page.screenshot({ path: join(folder, `tour-${name}.png`) });
    expect(picture.length).toBeGreaterThan(10_000);
  });
});
