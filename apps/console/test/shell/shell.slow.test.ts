import { describe, expect, it } from 'vitest';
import {
  chooseOption,
  expectAccessible,
  focused,
  hasBrowser,
  press,
  seedOffices,
  tabTo,
  unfoldOperations,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the frame of the console', () => {
  const scene = useConsole({ seed: (server) => seedOffices(server, 3) });

  it('names the window after the view, and moves the focus to its heading when it changes', async () => {
    await using opened = await scene.open('/offices', { isKeyboardOnly: true });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Offices' }).waitFor();
    await press(page, 'g', 'y');
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe('Activity · Roster');
    await expect.poll(() => focused(page)).toBe('h1 "Activity"');
  });

  it('shows only the views that the caller may open', async () => {
    await using viewer = await scene.open('/offices', { as: 'viewer' });
    const names = () =>
      viewer.page.getByRole('navigation', { name: 'Main' }).getByRole('link').allTextContents();
    await unfoldOperations(viewer.page);
    await expect.poll(names).toContain('Activity');
    for (const hidden of ['API keys', 'People', 'Webhooks', 'Imports'])
      expect(await names()).not.toContain(hidden);
    await using admin = await scene.open('/offices');
    await unfoldOperations(admin.page);
    await admin.page.getByRole('link', { name: 'People' }).waitFor();
  });

  it('has the navigation in a drawer on a narrow screen, with the focus inside until Escape', async () => {
    await using opened = await scene.open('/offices', {
      isKeyboardOnly: true,
      browser: { viewport: { width: 320, height: 640 } },
    });
    const { page } = opened;
    const button = page.getByRole('button', { name: 'More', exact: true }).last();
    await tabTo(page, button);
    await press(page, 'Enter');
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await drawer.waitFor();
    await expectAccessible(page);
    await press(page, 'Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(await focused(page)).toBe('button "More"');
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(320);
  });

  it('has a page for an address that no view has', async () => {
    await using opened = await scene.open('/nothing/here');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Go to the first view' }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
  });

  it('keeps the theme, the language and the rest of the settings, and deletes what it keeps', async () => {
    await using opened = await scene.open('/settings');
    const { page } = opened;
    await page.getByRole('radio', { name: 'Dark' }).check();
    await chooseOption(page.getByRole('combobox', { name: 'Language' }), 'Português');
    await page.getByRole('heading', { name: 'Definições' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Definições' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark');
    await page.getByRole('button', { name: 'Eliminar: Estas definições' }).click();
    await page.reload();
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.getByText('Administrator', { exact: true }).waitFor();
    await expectAccessible(page);
  });

  it('shows the name of the directory that an administrator gives it', async () => {
    await using opened = await scene.open('/settings');
    const { page } = opened;
    const name = page.getByLabel('Name of the directory');
    expect(await name.inputValue()).toBe('Roster');
    await name.fill('Casa Clara');
    await press(page, 'Enter');
    await page.getByRole('link', { name: 'Casa Clara' }).waitFor();
    await name.fill('');
    await press(page, 'Tab');
    await page.getByRole('link', { name: 'Roster' }).waitFor();
    expect(await name.inputValue()).toBe('Roster');
  });

  it('has no text or control outside of the window from right to left', async () => {
    await using opened = await scene.open('/settings', {
      browser: { viewport: { width: 360, height: 700 } },
    });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.evaluate(() => {
      document.documentElement.dir = 'rtl';
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    const box = await page.getByRole('button', { name: 'More', exact: true }).last().boundingBox();
    expect(box?.x).toBeLessThan(180);
  });

  it('opens a menu from right to left at the edge of its button, inside the window', async () => {
    await using opened = await scene.open('/agents', { browser: { viewport: { width: 1280, height: 700 } } });
    const { page } = opened;
    const button = page.getByRole('button', { name: 'Sort', exact: true });
    await button.waitFor();
    await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
    await button.click();
    const [anchor, menu] = await Promise.all(
      [button, page.getByRole('menu')].map((element) => element.boundingBox()),
    );
    const endOf = (box: typeof anchor) => (box?.x ?? 0) + (box?.width ?? 0);
    expect(endOf(menu)).toBeCloseTo(endOf(anchor), 0);
  });

  it.each(['en-GB', 'pt-PT'])(
    'has no line on a wide screen that is hard to read on, nor a name of a view on two: %s',
    async (locale) => {
      await using opened = await scene.open('/scheduled-changes', {
        browser: { locale, viewport: { width: 3840, height: 2160 } },
      });
      const { page } = opened;
      const current = page.getByRole('navigation').locator('[aria-current=page]');
      await current.waitFor();
      expect((await current.boundingBox())?.height).toBeLessThan(40);
      const main = page.locator('main h1');
      await main.waitFor();
      const width = await page
        .locator('main [class*="max-w-"]')
        .first()
        .evaluate((one) => one.clientWidth);
      expect(width).toBeLessThanOrEqual(1_800);
    },
  );

  it('does nothing by a single key while someone types, or once they are turned off', async () => {
    await using opened = await scene.open('/settings');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
    await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).uncheck();
    await page.getByRole('heading', { name: 'Settings' }).focus();
    await press(page, '?', 'g', 'o');
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(page.url()).toContain('/settings');
    await page.getByRole('checkbox', { name: /Single-key shortcuts/ }).check();
    await page.getByRole('heading', { name: 'Settings' }).focus();
    await press(page, '?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(page);
  });

  it('says when the network is gone, and when it is back', async () => {
    await using opened = await scene.open('/offices');
    const { page, context, faults } = opened;
    faults.expect(/ERR_INTERNET_DISCONNECTED/);
    await page.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.getByText('Offline', { exact: true }).waitFor();
    await expectAccessible(page, 'header');
    await context.setOffline(false);
    await page.getByText('Live', { exact: true }).waitFor();
  });
});
