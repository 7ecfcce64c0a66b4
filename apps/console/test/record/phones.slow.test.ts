import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { createAgent, createRecord, readRecord } from '../support/directory.ts';
import { expectAccessible, hasBrowser, useConsole } from '../support/index.ts';

const COUNTRY = 'Phone numbers without a country code are from';

/** Chooses a country, or a region, by what one types of its name. */
async function choosePlace(page: Page, label: string, typed: string, name: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).fill(typed);
  await page.getByRole('option', { name }).click();
}

/** Selects the contents of an element, copies them, and returns what was copied. */
async function copyOf(page: Page, selector: string): Promise<string> {
  await page
    .locator(selector)
    .first()
    .evaluate((element) => {
      document.getSelection()?.selectAllChildren(element);
    });
  await page.keyboard.press('ControlOrMeta+c');
  return page.evaluate(() => navigator.clipboard.readText());
}

describe.skipIf(!hasBrowser)('phone numbers', () => {
  const scene = useConsole();
  const settings = async () => (await scene.server.request('GET', '/settings')).json();
  beforeEach(async () => {
    await scene.server.request('PATCH', '/settings', { defaultCountry: 'US' });
  });

  it('are shown as people read them at home, and copied in E.164', async () => {
    const { server } = scene;
    const { id } = await createAgent(server, 'Phones', {
      phone: '+13055550123',
      mobilePhone: '+351910000001',
    });
    await using opened = await scene.open(
      `/agents?q=Phones&columns=displayName&columns=phone&columns=mobilePhone`,
    );
    const { page, context } = opened;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('gridcell', { name: '(305) 555-0123' }).waitFor();
    await page.getByRole('gridcell', { name: '+351 910 000 001' }).waitFor();
    expect(await copyOf(page, '[role=gridcell][data-phone]')).toBe('+13055550123');
    expect((await copyOf(page, '[role=grid]')).includes('+13055550123')).toBe(true);
    await page.goto(new URL(`/console/agents/${id}`, page.url()).href);
    const link = page.getByRole('link', { name: '(305) 555-0123', exact: true });
    await link.waitFor();
    expect(await link.getAttribute('href')).toBe('tel:+13055550123');
    expect(await copyOf(page, 'bdi[data-phone="+351910000001"]')).toBe('+351910000001');
  });

  it('without a country code are from the country that an admin chooses in the settings', async () => {
    await using opened = await scene.open('/settings');
    const { page } = opened;
    const country = page.getByRole('combobox', { name: COUNTRY });
    await expect.poll(() => country.inputValue()).toBe('United States');
    await choosePlace(page, COUNTRY, 'portug', 'Portugal');
    await page.getByText('Saved').waitFor();
    expect(await settings()).toMatchObject({ defaultCountry: 'PT' });
    await expectAccessible(page);
    await page.goto(
      new URL('/console/agents?q=Phones&columns=displayName&columns=mobilePhone', page.url()).href,
    );
    await page.getByRole('gridcell', { name: '910 000 001', exact: true }).waitFor();
  });

  it('show the country to everyone else, with the reason why they cannot change it', async () => {
    await using opened = await scene.open('/settings', { as: 'editor' });
    const { page } = opened;
    await page.getByText('United States').waitFor();
    await page.getByText('Only an administrator of the whole directory can change it.').waitFor();
    expect(await page.getByRole('combobox', { name: COUNTRY }).count()).toBe(0);
  });

  it('that cannot be read say so at their field', async () => {
    const office = await createRecord(scene.server, 'offices', {
      name: 'Casa Rio',
      address: { country: 'BR' },
    });
    await using opened = await scene.open(`/agents?officeId=${office.id}`);
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    await page.getByRole('link', { name: 'New agent' }).click();
    await page.getByLabel('First name').fill('Paulo');
    await page.getByLabel('Last name').fill('Lins');
    const phone = page.getByLabel('Phone', { exact: true });
    await phone.fill('305-555-0123');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByText(/for Brazil/)
      .first()
      .waitFor();
    await phone.fill('21 2555-0143');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('link', { name: '+55 21 2555 0143', exact: true }).waitFor();
  });
});

describe.skipIf(!hasBrowser)('an address', () => {
  const scene = useConsole();

  it('takes its country and its region by their names, and shows them so', async () => {
    const { id } = await createRecord(scene.server, 'offices', { name: 'Casa Clara' });
    await using opened = await scene.open(`/offices/${id}`);
    const { page } = opened;
    await page.getByRole('button', { name: 'Show empty fields' }).click();
    await page.getByRole('button', { name: 'Edit: Address' }).last().click();
    const address = page.getByRole('group', { name: 'Address', exact: true });
    await address.getByLabel('Region').waitFor();
    await choosePlace(page, 'Country', 'port', 'Portugal');
    await choosePlace(page, 'Region', 'set', 'Setúbal');
    await expectAccessible(page);
    await page.getByRole('button', { name: /^Save/ }).click();
    await expect
      .poll(() => readRecord(scene.server, 'offices', id))
      .toMatchObject({
        address: { country: 'PT', region: '15' },
      });
    await page.getByRole('definition').getByText('Setúbal').waitFor();
    await page.getByRole('definition').getByText('Portugal').waitFor();
  });

  it('keeps what is typed of a region while the regions load', async () => {
    const address = { country: 'PT' };
    const { id } = await createRecord(scene.server, 'offices', { name: 'Casa Breve', address });
    await using opened = await scene.open(`/offices/${id}`);
    const { page } = opened;
    const edit = page.getByRole('button', { name: 'Edit: Address' }).last();
    // What the record itself needs is there by then.
    await edit.waitFor();
    const loaded = Promise.withResolvers<void>();
    await page.route(/regions/, async (route) => {
      await loaded.promise;
      await route.continue();
    });
    await edit.click();
    const region = page.getByRole('combobox', { name: 'Region' });
    await region.fill('set');
    loaded.resolve();
    await page.getByRole('option', { name: 'Setúbal' }).click();
    await expect.poll(() => region.inputValue()).toBe('Setúbal');
  });
});
