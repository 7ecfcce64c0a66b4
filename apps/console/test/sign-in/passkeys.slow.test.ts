import type { Invitation, InvitationWithLink, Passkey, Person } from '@roster/api';
import { describe, expect, it } from 'vitest';
import {
  addDevice,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  openConsole,
  seedOffices,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('passkeys', () => {
  const scene = useConsole({ seed: (server) => seedOffices(server, 2) });

  /** Opens the console at the address at which browsers have passkeys, signed in as nobody. */
  const openNamed = (path: string) => {
    const { server, browser } = scene;
    const url = server.url.replace('127.0.0.1', 'localhost');
    return openConsole(browser, { url, database: server.database }, { path, as: null });
  };

  async function answered<Result>(method: string, path: string, body?: object): Promise<Result> {
    const response = await scene.server.request(method, path, body);
    expect(response.ok).toBe(true);
    return (await response.json()) as Result;
  }

  async function invited(name: string): Promise<{ person: Person; link: InvitationWithLink; path: string }> {
    const email = `${crypto.randomUUID()}@atlantico.example`;
    const person = await answered<Person>('POST', '/people', { name, email, grants: [{ role: 'editor' }] });
    const link = await answered<InvitationWithLink>('POST', '/invitations', { personId: person.id });
    return { person, link, path: `/invitation${new URL(link.link).hash}` };
  }

  const personOf = ({ id }: Person) => answered<Person>('GET', `/people/${id}`);

  it('are set up with an invitation, and sign the same person in from then on, without a password', async () => {
    const { person, path } = await invited('Carla Nunes');
    await using opened = await openNamed(path);
    const { page, context, faults } = opened;
    // Before signing in, and after signing out.
    faults.expect(/status of 401/);
    const device = await addDevice(context, page);
    await page.getByRole('heading', { name: 'Welcome, Carla Nunes' }).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('textbox', { name: 'Name of the passkey' }).fill('Laptop of Carla');
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Carla Nunes/ }).waitFor();
    expect(await device.count()).toBe(1);
    expect(await personOf(person)).toMatchObject({ status: 'active', signInWay: 'passkey' });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/console\/sign-in/);
    await page.getByRole('button', { name: 'Continue with a passkey' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Continue with a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Carla Nunes/ }).waitFor();
    const { items } = await answered<{ items: Passkey[] }>('GET', `/passkeys?personId=${person.id}`);
    expect(items).toMatchObject([{ name: 'Laptop of Carla', lastUsedAt: expect.any(String) }]);
  });

  it('need the person to confirm at the device, and the page says so and can be tried again', async () => {
    const { path } = await invited('Rui Costa');
    await using opened = await openNamed(path);
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    const device = await addDevice(context, page);
    await device.setConfirming(false);
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: "The device didn't confirm." }).waitFor();
    await device.setConfirming(true);
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Rui Costa/ }).waitFor();
  });

  it('are several for a person, in the settings, where each has a name and can be removed', async () => {
    const { path, person } = await invited('Marta Dias');
    await using opened = await openNamed(path);
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    await addDevice(context, page);
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Marta Dias/ }).waitFor();
    await page.goto(new URL('/console/settings', page.url()).href);
    const table = page.getByRole('table', { name: 'Passkeys' });
    await table.getByRole('row').nth(1).waitFor();
    // Another device, as the one of before has a passkey for the person already.
    await addDevice(context, page, 'usb');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill('Key on the ring');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Set up' }).click();
    const added = table.getByRole('row', { name: /Key on the ring/ });
    await added.waitFor();
    await expectAccessible(page);
    await added.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByRole('textbox', { name: 'Name of the passkey' }).fill('Spare key');
    await dialog.getByRole('button', { name: 'Save' }).click();
    const renamed = table.getByRole('row', { name: /Spare key/ });
    await renamed.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('button', { name: 'Remove the passkey' }).click();
    // What is behind a dialog has no roles.
    await dialog.waitFor({ state: 'detached' });
    await renamed.waitFor({ state: 'detached' });
    const { items } = await answered<{ items: Passkey[] }>('GET', `/passkeys?personId=${person.id}`);
    expect(items).toHaveLength(1);
  });

  it('that an administrator removes sign nobody in any more, and end what they signed in', async () => {
    const { path, person } = await invited('Nuno Alves');
    await using opened = await openNamed(path);
    const { page, context, faults } = opened;
    faults.expect(/status of 40[01]/);
    await addDevice(context, page);
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Nuno Alves/ }).waitFor();
    await using admin = await scene.open(`/people/${person.id}`);
    await admin.page.getByText('Nuno Alves signs in with a passkey').waitFor();
    await expectAccessible(admin.page);
    await admin.page.getByRole('table', { name: 'Passkeys' }).getByRole('button', { name: 'Remove' }).click();
    await admin.page.getByRole('dialog').getByRole('button', { name: 'Remove the passkey' }).click();
    await admin.page.getByText("Nuno Alves can't sign in yet").waitFor();
    await page.goto(new URL('/console/offices', page.url()).href);
    await page.getByRole('button', { name: 'Continue with a passkey' }).click();
    await page.getByRole('alert').filter({ hasText: 'does not know this passkey' }).waitFor();
  });

  it('are left out with an invitation that signs in once, for a device that has none', async () => {
    const { path, person, link } = await invited('Sofia Reis');
    await using opened = await openNamed(path);
    const { page, faults } = opened;
    faults.expect(/status of 40[01]/);
    await page.getByRole('button', { name: 'Sign in once, without a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Sofia Reis/ }).waitFor();
    expect(await personOf(person)).toMatchObject({ status: 'active', signInWay: 'none' });
    const used = await answered<Invitation>('GET', `/invitations/${link.id}`);
    expect(used.acceptedAt).toEqual(expect.any(String));
    await page.goto(new URL(`/console${path}`, page.url()).href);
    await page.reload();
    await page.getByRole('alert').filter({ hasText: 'The link is unknown, was used' }).waitFor();
    await expectAccessible(page);
  });

  it('are at the named address of this computer, to which the page of its number leads', async () => {
    await using opened = await scene.open('/sign-in?returnTo=/console/agents', { as: null });
    const { page } = opened;
    const address = await page.getByRole('link', { name: 'Continue with a passkey' }).getAttribute('href');
    const named = scene.server.url.replace('127.0.0.1', 'localhost');
    expect(address).toBe(`${named}/console/sign-in?returnTo=%2Fconsole%2Fagents&passkey=true`);
    await page.getByText('On the computer that runs the service').click();
    await page.getByText('npm run -s roster -- open').waitFor();
  });

  it('are asked for at once where the page of the number has led to', async () => {
    const { path } = await invited('Ilda Gomes');
    await using opened = await openNamed(path);
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    await addDevice(context, page);
    await page.getByRole('button', { name: 'Set up a passkey' }).click();
    await page.getByRole('button', { name: /^Account of Ilda Gomes/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/console\/sign-in/);
    await page.goto(new URL('/console/sign-in?returnTo=/console/offices&passkey=true', page.url()).href);
    await page.getByRole('button', { name: /^Account of Ilda Gomes/ }).waitFor();
  });

  it('are offered to whoever has signed in with a link and has none, until they have one', async () => {
    const { path } = await invited('Olga Pinto');
    await using opened = await openNamed(path);
    const { page, context, faults } = opened;
    faults.expect(/status of 401/);
    await addDevice(context, page);
    await page.getByRole('button', { name: 'Sign in once, without a passkey' }).click();
    const offer = page.getByText("You can't sign in again yet");
    await offer.waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add a passkey in the settings' }).click();
    await page.getByRole('button', { name: 'Add a passkey', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('table', { name: 'Passkeys' }).getByRole('row').nth(1).waitFor();
    await offer.waitFor({ state: 'detached' });
  });

  it('are offered once in a tab to who says later', async () => {
    const { path } = await invited('Vera Luz');
    await using opened = await openNamed(path);
    const { page, faults } = opened;
    faults.expect(/status of 401/);
    await page.getByRole('button', { name: 'Sign in once, without a passkey' }).click();
    const offer = page.getByText("You can't sign in again yet");
    await offer.waitFor();
    await page.getByRole('button', { name: 'Later' }).click();
    await offer.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: /^Account of Vera Luz/ }).waitFor();
    expect(await offer.count()).toBe(0);
  });

  it('are set up at the named address by an administrator who is signed in at the number alone', async () => {
    await using opened = await scene.open('/settings');
    const { page, context, faults } = opened;
    // To the page of the number, its own name is another host.
    faults.expect(/^asked http:\/\/localhost:/);
    await addDevice(context, page);
    await page.getByRole('button', { name: 'Set up a passkey there' }).click();
    await page.waitForURL(/^http:\/\/localhost:/);
    await page.getByRole('button', { name: 'Set up a passkey', exact: true }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
  });
});
