import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { startMailServer } from '@roster/server/testing/mail';
import type { TestPerson } from '@roster/server/testing/people';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CasaClara, seedCasaClara } from '../support/casa-clara.ts';
import { hasBrowser, openConsole, startConsoleServer, useConsole } from '../support/index.ts';

/** Beside the pictures of the design, with the same names. */
const folder = join(import.meta.dirname, '../../.generated/pictures');
/** Faces, names of other records and the live mark are loaded by then. */
const SETTLED_MS = 2_000;
const isWanted = process.env.ROSTER_TEST_SCREENSHOTS === 'true';

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 } };

const csv = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});
const columns = 'Nome,Apelido,Email,Telemóvel,Escritório,Função,Número AMI,Validade,Línguas,Notas internas';
const rows = [
  'Rita,Abreu Novo,rita@casaclara.example,+351 912 000 156,Casa Clara Porto Ribeira,Consultora,CI-11021,14/03/2027,"pt, en",Liga à tarde',
  'Rui,Araújo,rui@casaclara.example,912 000 204,Casa Clara Porto Foz,Sócio,CI-10877,31/10/2027,pt,',
  '直樹,小林,naoki@casaclara.example,+351 913 000 027,Casa Clara Gaia,国際部,CI-11409,05/07/2027,"ja, en, pt",',
];
const faulty = [
  ...['Vera', 'Bruno', 'Tiago', 'Júlia'].map(
    (name) => `${name},Marques,${name.toLowerCase()}@casaclara.example,,Casa Clara Chaido,,,,,`,
  ),
  'Otto,Leeds,,,Harbour Vale Leeds,,,,,',
  'Zé,Curto,,+351 912,Casa Clara Gaia,,,,,',
  'Ana,Data,,,Casa Clara Gaia,,CI-1,31/02/2027,,',
];

async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(SETTLED_MS);
  mkdirSync(folder, { recursive: true });
  const picture = await page.screenshot({ path: join(folder, `${name}.png`) });
  expect(picture.length).toBeGreaterThan(5_000);
}

describe.skipIf(!hasBrowser || !isWanted)('the pages of the design', () => {
  const scene = useConsole();
  const empty = useConsole();
  let seeded: CasaClara;
  let as: TestPerson;
  beforeAll(async () => {
    seeded = await seedCasaClara(scene.server);
    await scene.server.request('PATCH', '/settings', { name: 'Casa Clara' });
    as = await scene.person('admin', undefined, 'Marta Antunes');
  });
  const agent = (name: string) => seeded.agentIds.get(name) ?? '';
  const office = (name: string) => seeded.officeIds.get(name) ?? '';

  const pages: readonly [name: string, path: () => string, as?: typeof phone][] = [
    ['home', () => '/home'],
    ['list', () => '/agents'],
    ['list-with-record', () => `/agents/${agent('Inês Figueiredo')}?q=porto`],
    ['record', () => `/agents/${agent('Inês Figueiredo')}/page`],
    ['office', () => `/offices/${office('Casa Clara Porto Ribeira')}/page`],
    ['merge', () => `/duplicates/agents/${agent('Gonçalo d’Orey')}/${agent('Goncalo Dorey')}`],
    ['phone-list', () => '/agents', phone],
    ['phone-record', () => `/agents/${agent('Inês Figueiredo')}`, phone],
  ];

  for (const colorScheme of ['light', 'dark'] as const)
    it.each(pages)(`show %s in ${colorScheme}`, async (name, path, browser = desktop) => {
      await using opened = await scene.open(path(), { as, browser: { ...browser, colorScheme } });
      await opened.page.getByRole('main').getByRole('heading').first().waitFor();
      await take(opened.page, colorScheme === 'dark' ? `${name}-dark` : name);
    });

  it.each<[name: string, path: () => string, act?: (page: Page) => Promise<void>]>([
    ['duplicates', () => '/duplicates/agents'],
    ['filters-none', () => '/agents?q=porto&language=ja'],
    [
      'filters-or',
      () =>
        `/agents?officeId=${office('Casa Clara Porto Foz')}&officeId=${office('Casa Clara Porto Ribeira')}`,
      (page) =>
        page
          .getByRole('button', { name: /^Office/ })
          .first()
          .click(),
    ],
    ['filters-columns', () => '/agents', (page) => page.getByRole('button', { name: 'Columns' }).click()],
    [
      'bulk-on-a-date',
      () => '/agents?q=porto',
      async (page) => {
        for (const row of [1, 2, 4, 9, 10]) await page.getByRole('checkbox').nth(row).check();
        await page.getByRole('button', { name: 'Transfer', exact: true }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('combobox', { name: 'New office' }).fill('Minho');
        await page.getByRole('option', { name: /Minho/ }).first().click();
        await dialog.getByRole('radio', { name: 'On a date' }).check();
        await dialog.getByRole('listitem').first().waitFor();
      },
    ],
    [
      'imports-columns',
      () => '/imports',
      async (page) => {
        await page.locator('input[type=file]').setInputFiles(csv('agentes-porto.csv', [columns, ...rows]));
        await page.getByText('needs a decision').waitFor();
      },
    ],
    [
      'import-errors',
      () => '/imports',
      async (page) => {
        await page
          .locator('input[type=file]')
          .setInputFiles(csv('consultores.csv', [columns, ...rows, ...faulty]));
        await page.getByText('needs a decision').waitFor();
        await page.getByRole('button', { name: 'Check all rows' }).click();
        await page.getByRole('region', { name: /need a correction$/ }).waitFor();
      },
    ],
    ['people', () => '/people?create=true'],
    ['keys', () => '/keys'],
    ['keys-new', () => '/keys?create=true'],
    [
      'keys-created',
      () => '/keys?create=true',
      async (page) => {
        await page.getByRole('textbox', { name: 'Name' }).fill('Website');
        await page.getByRole('button', { name: 'Create key' }).click();
        await page.getByText('Waiting for the first request').waitFor();
      },
    ],
    ['activity', () => '/activity'],
    ['webhooks', () => '/webhooks'],
    ['settings', () => '/settings'],
  ])('show %s', async (name, path, act) => {
    await using opened = await scene.open(path(), { as, browser: desktop });
    await opened.page.getByRole('heading').first().waitFor();
    await act?.(opened.page);
    await take(opened.page, name);
  });

  it('show sign-in where links are sent by email, and that one was', async () => {
    await using mail = await startMailServer();
    await using server = await startConsoleServer({ mail: mail.config });
    const opening = { path: '/sign-in', as: null, browser: desktop };
    await using opened = await openConsole(empty.browser, server, opening);
    const { page } = opened;
    await page.getByRole('textbox', { name: 'Email' }).fill('marta.antunes@casaclara.example');
    await take(page, 'sign-in');
    await page.getByRole('button', { name: 'Send a link' }).click();
    await page.getByRole('heading', { name: 'Check your email' }).waitFor();
    await take(page, 'sign-in-sent');
  });

  it('show the link of the first start, and home without records', async () => {
    const marta = await empty.person('admin', undefined, 'Marta Antunes');
    const made = await empty.server.request('POST', '/invitations', { personId: marta.id });
    const { link } = (await made.json()) as { link: string };
    // Browsers have passkeys at that address alone.
    const url = empty.server.url.replace('127.0.0.1', 'localhost');
    const path = `/invitation${new URL(link).hash}`;
    await using first = await openConsole(
      empty.browser,
      { url, database: empty.server.database },
      { path, as: null, browser: desktop },
    );
    await first.page.getByRole('button', { name: 'Set up a passkey' }).waitFor();
    await take(first.page, 'first-start');
    await using opened = await empty.open('/home', { as: marta, browser: desktop });
    await take(opened.page, 'home-empty');
  });
});
