import type { Person } from '@roster/api';
import { sessionOf, type TestPerson } from '@roster/server/testing/people';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  activate,
  choose,
  chooseOption,
  expectAccessible,
  expectNarrow,
  hasBrowser,
  press,
  seedOffices,
  typeInto,
  useConsole,
} from '../support/index.ts';

describe.skipIf(!hasBrowser)('the people', () => {
  const scene = useConsole({ seed: (server) => seedOffices(server, 3) });

  async function invite(fields: object): Promise<Person> {
    const email = `${crypto.randomUUID()}@atlantico.example`;
    const body = { name: 'Rui Costa', email, grants: [{ role: 'viewer' }], ...fields };
    const response = await scene.server.request('POST', '/people', body);
    expect(response.status).toBe(201);
    return (await response.json()) as Person;
  }

  async function person(id: string): Promise<Person> {
    return (await (await scene.server.request('GET', `/people/${id}`)).json()) as Person;
  }

  const dialog = (page: Page) => page.getByRole('dialog');
  const form = (page: Page) => page.getByRole('region', { name: 'Invite people' });

  it('are invited by keyboard alone, with a role for some offices', async () => {
    await using opened = await scene.open('/people', { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Invite people' }));
    await expectAccessible(page);
    await typeInto(page, form(page).getByRole('textbox', { name: 'Email' }), 'beatriz@atlantico.example');
    await typeInto(page, form(page).getByRole('textbox', { name: 'Name' }), 'Beatriz Lopes');
    await activate(page, form(page).getByRole('radio', { name: /^Reader/ }), 'ArrowDown');
    await activate(page, form(page).getByRole('combobox', { name: 'Offices' }), 'ArrowDown');
    await press(page, 'ArrowDown', 'Enter');
    await typeInto(page, page.getByRole('combobox', { name: 'Add an office' }), 'Office 000003');
    await page.getByRole('option', { name: /Office 000003/ }).waitFor();
    await press(page, 'Enter');
    await expectNarrow(page);
    await activate(page, form(page).getByRole('button', { name: 'Invite', exact: true }));
    await page.waitForURL(/\/console\/people\/[\da-f-]{36}/);
    await activate(page, dialog(page).getByRole('button', { name: 'Done' }));
    const { grants, status } = await person(new URL(page.url()).pathname.split('/').at(-1) ?? '');
    expect([grants, status]).toEqual([[{ role: 'editor', officeIds: [expect.any(String)] }], 'invited']);
    await page.getByRole('heading', { name: 'Beatriz Lopes' }).waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
  });

  it('have an error at the offices in words for people if none is chosen', async () => {
    await using opened = await scene.open('/people?create=true');
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    await form(page).getByRole('textbox', { name: 'Name' }).fill('Nowhere');
    await form(page).getByRole('textbox', { name: 'Email' }).fill('nowhere@atlantico.example');
    await chooseOption(
      form(page).getByRole('combobox', { name: 'Offices' }),
      'Selected offices and their branches',
    );
    await form(page).getByRole('button', { name: 'Invite', exact: true }).click();
    await form(page).getByText('Choose at least one.').waitFor();
    await expectAccessible(page);
  });

  it('get a link with the invitation, which is copied, and another one from their page; it can be revoked', async () => {
    await using opened = await scene.open('/people?create=true');
    const { page, context } = opened;
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await form(page).getByRole('textbox', { name: 'Name' }).fill('Carla Nunes');
    await form(page).getByRole('textbox', { name: 'Email' }).fill('carla@atlantico.example');
    await form(page).getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog(page).getByText('Copy this link and send it yourself.').waitFor();
    await dialog(page).getByText('the link only works on the computer that runs the service').waitFor();
    const link = await dialog(page).getByRole('textbox', { name: 'Sign-in link' }).inputValue();
    expect(link).toMatch(/^http:\/\/localhost:\d+\/console\/invitation#[\w-]{43}$/);
    await expectAccessible(page);
    await expectNarrow(page);
    await dialog(page).getByRole('button', { name: 'Copy' }).click();
    await dialog(page).getByText('Copied.').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await page.getByText("Carla Nunes hasn't set up a passkey yet").waitFor();
    await page.getByRole('button', { name: 'Revoke the link' }).click();
    await dialog(page).getByRole('button', { name: 'Revoke the link' }).click();
    await page.getByText("Carla Nunes can't sign in yet").waitFor();
    await page
      .getByRole('row', { name: /Carla Nunes/ })
      .getByText('Needs a sign-in link')
      .waitFor();
    await page.getByRole('button', { name: 'Create a link' }).click();
    const another = await dialog(page).getByRole('textbox', { name: 'Sign-in link' }).inputValue();
    expect(another).not.toBe(link);
    await expectAccessible(page);
  });

  it('are invited together: each with a link, and the refused ones stay in the field with their reasons', async () => {
    const { email: taken } = await invite({});
    await using opened = await scene.open('/people?create=true');
    const { page, faults } = opened;
    faults.expect(/status of 4(?:09|22)/);
    const emails = form(page).getByRole('textbox', { name: 'Email' });
    await emails.fill(
      `one@multi.example, Ana Prata <ana@multi.example>\nno-address ONE@multi.example ${taken}`,
    );
    expect(await form(page).getByRole('textbox', { name: 'Name' }).count()).toBe(0);
    await form(page).getByRole('button', { name: 'Invite 4 people' }).click();
    await dialog(page).getByRole('heading', { name: 'Links for 2 people' }).waitFor();
    const links = ['one@multi.example', 'Ana Prata'].map((name) =>
      dialog(page).getByRole('textbox', { name }),
    );
    expect(new Set(await Promise.all(links.map((link) => link.inputValue()))).size).toBe(2);
    await expectAccessible(page);
    await expectNarrow(page);
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    expect(await emails.inputValue()).toBe(`no-address\n${taken}`);
    await form(page).getByText(`${taken} is already in use by another person`).waitFor();
    await form(page)
      .getByText(/^no-address must be /)
      .waitFor();
    await page
      .getByRole('row', { name: /Ana Prata/ })
      .getByText(/^Invited by .+, 7 days left$/)
      .waitFor();
    await expectAccessible(page);
    await emails.fill('two@multi.example');
    await form(page).getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog(page).getByRole('heading', { name: 'A link for two@multi.example' }).waitFor();
    const response = await scene.server.request('GET', '/people?status=invited&limit=200');
    const { items } = (await response.json()) as { items: Person[] };
    expect(items.filter(({ email }) => email.endsWith('@multi.example'))).toHaveLength(3);
  });

  it('keep the addresses after an error of their access, and nobody is invited', async () => {
    await using opened = await scene.open('/people?create=true');
    const { page, faults } = opened;
    faults.expect(/status of 422/);
    const emails = form(page).getByRole('textbox', { name: 'Email' });
    await emails.fill('x@none.example y@none.example');
    await chooseOption(
      form(page).getByRole('combobox', { name: 'Offices' }),
      'Selected offices and their branches',
    );
    await form(page).getByRole('button', { name: 'Invite 2 people' }).click();
    await form(page).getByText('Choose at least one.').waitFor();
    expect(await emails.inputValue()).toBe('x@none.example y@none.example');
  });

  it('get another link from the row of their invitation, which is withdrawn there too', async () => {
    const { id, name } = await invite({ name: 'Not coming' });
    await using opened = await scene.open('/people', { browser: { viewport: { width: 1440, height: 900 } } });
    const { page } = opened;
    const row = page.getByRole('row', { name: new RegExp(name) });
    await row.hover();
    await row.getByRole('button', { name: 'Create a new link' }).click();
    await dialog(page).getByRole('textbox', { name: 'Sign-in link' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Done' }).click();
    await row.getByText(/^Invited by .+, 7 days left$/).waitFor();
    await row.getByRole('button', { name: 'Withdraw the invitation' }).click();
    await expectAccessible(page);
    await dialog(page).getByRole('button', { name: 'Withdraw' }).click();
    await dialog(page).waitFor({ state: 'detached' });
    await row.waitFor({ state: 'detached' });
    expect((await scene.server.request('GET', `/people/${id}`)).status).toBe(404);
  });

  it('get no link from whoever has fewer rights than they: the error of the service is shown', async () => {
    const { id } = await invite({ grants: [{ role: 'admin' }] });
    const body = { name: 'People only', scopes: ['people:manage', 'offices:read'] };
    const key = (await (await scene.server.request('POST', '/keys', body)).json()) as { id: string };
    const caller: TestPerson = {
      id: key.id,
      email: '',
      ...(await sessionOf(scene.server, { keyId: key.id })),
    };
    await using opened = await scene.open(`/people/${id}`, { as: caller });
    const { page, faults } = opened;
    faults.expect(/status of 403/);
    await page.getByRole('button', { name: 'Create a link' }).click();
    await page.getByText(/cannot change a person with scopes that it does not have/).waitFor();
    expect(await dialog(page).count()).toBe(0);
  });

  it('have an error at the address if it is taken, and keep what was typed', async () => {
    const { email } = await invite({});
    await using opened = await scene.open('/people?create=true');
    const { page, faults } = opened;
    faults.expect(/status of 409/);
    await form(page).getByRole('textbox', { name: 'Name' }).fill('Somebody else');
    const address = form(page).getByRole('textbox', { name: 'Email' });
    await address.fill(email.toUpperCase());
    await form(page).getByRole('button', { name: 'Invite', exact: true }).click();
    await expect.poll(() => address.getAttribute('aria-invalid')).toBe('true');
    expect(await form(page).getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Somebody else');
    await expectAccessible(page);
  });

  it('get no rights that the caller has not: the error of the service is at the grants', async () => {
    const body = { name: 'People only', scopes: ['people:manage', 'offices:read'] };
    const key = (await (await scene.server.request('POST', '/keys', body)).json()) as { id: string };
    const session = await sessionOf(scene.server, { keyId: key.id });
    const caller: TestPerson = { id: key.id, email: '', ...session };
    await using opened = await scene.open('/people?create=true', { as: caller });
    const { page, faults } = opened;
    faults.expect(/status of 403/);
    await form(page).getByRole('textbox', { name: 'Name' }).fill('Too much');
    await form(page).getByRole('textbox', { name: 'Email' }).fill('too-much@atlantico.example');
    await form(page)
      .getByRole('radio', { name: /^Administrator/ })
      .check();
    await form(page).getByRole('button', { name: 'Invite', exact: true }).click();
    await form(page)
      .getByRole('group', { name: 'Access' })
      .getByText(/cannot give scopes/)
      .waitFor();
  });

  it('always have an administrator: who would be the last one keeps the role', async () => {
    const last = await scene.person('admin', undefined, 'The last one');
    const response = await scene.server.request('GET', '/people?status=active&limit=200');
    for (const { id } of ((await response.json()) as { items: Person[] }).items)
      if (id !== last.id) await scene.server.request('PUT', `/people/${id}/deactivate`);
    await using opened = await scene.open(`/people/${last.id}`, { as: last });
    const { page, faults } = opened;
    faults.expect(/status of 409/);
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog(page)
      .getByRole('radio', { name: /^Reader/ })
      .check();
    await dialog(page).getByRole('button', { name: 'Save' }).click();
    await dialog(page)
      .getByRole('group', { name: 'Access' })
      .getByText(/administrator|admin/)
      .last()
      .waitFor();
    expect((await person(last.id)).grants).toEqual([{ role: 'admin', officeIds: null }]);
  });

  it('are deactivated, reactivated and deleted, each after a question where it takes something away', async () => {
    const { id } = await invite({ name: 'Leaves soon' });
    await using opened = await scene.open(`/people/${id}`, { isKeyboardOnly: true });
    const { page } = opened;
    await activate(page, page.getByRole('button', { name: 'Deactivate' }));
    await expectAccessible(page);
    await activate(page, dialog(page).getByRole('button', { name: 'Deactivate' }));
    await activate(page, page.getByRole('button', { name: 'Reactivate' }));
    await page.getByRole('button', { name: 'Deactivate' }).waitFor();
    expect((await person(id)).status).toBe('invited');
    await choose(page, page.getByRole('button', { name: 'More' }), /^Delete/);
    await activate(page, dialog(page).getByRole('button', { name: 'Delete permanently' }));
    await page.waitForURL(/\/console\/people$/);
    expect((await scene.server.request('GET', `/people/${id}`)).status).toBe(404);
  });

  it('are signed out everywhere from their page, which lists their sessions', async () => {
    const other = await scene.person('viewer', undefined, 'Signed in');
    await using opened = await scene.open(`/people/${other.id}`);
    const { page } = opened;
    await page.getByRole('table', { name: 'Sessions' }).getByRole('cell', { name: 'A test' }).waitFor();
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: /End all sessions/ }).click();
    await dialog(page).getByRole('button', { name: 'End all sessions' }).click();
    await page.getByText('No sessions.').waitFor();
    const { status } = await fetch(`${scene.server.url}/me`, { headers: other.headers });
    expect(status).toBe(401);
  });

  it('are divided into tabs with their numbers, and searched by name and address', async () => {
    const { email } = await invite({ name: 'Zulmira Prado' });
    const { id } = await invite({ name: 'Zulmira Gone' });
    await scene.server.request('PUT', `/people/${id}/deactivate`);
    await using opened = await scene.open('/people');
    const { page } = opened;
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/Zulmira Prado/).waitFor();
    expect(await row(/Zulmira Gone/).count()).toBe(0);
    await page.getByRole('link', { name: /^Deactivated \d+$/ }).click();
    await row(/Zulmira Gone/).waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'All', exact: true }).click();
    await press(page, '/');
    await page.keyboard.type(`prado ${email.slice(0, 8).toUpperCase()}`);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    await row(/Zulmira Prado/).waitFor();
    await page.getByRole('searchbox').fill('somebody unknown');
    await page.getByText('No matching people').waitFor();
  });

  it('keep every column beside the form, which asks before it drops what was typed', async () => {
    await invite({ name: 'Long address' });
    await using opened = await scene.open('/people', { browser: { viewport: { width: 1440, height: 900 } } });
    const { page } = opened;
    await page.getByRole('button', { name: 'Invite people' }).click();
    await form(page).getByRole('textbox', { name: 'Name' }).fill('Not yet');
    for (const name of ['Role', 'Offices', 'Last sign-in'])
      await page.getByRole('columnheader', { name }).waitFor();
    await expectAccessible(page);
    await press(page, 'Escape');
    await form(page).getByRole('button', { name: 'Discard' }).click();
    await form(page).waitFor({ state: 'detached' });
    const button = page.getByRole('button', { name: 'Invite people' });
    await expect.poll(() => button.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('are listed by the state in the URL, in the language of the browser', async () => {
    const { email } = await invite({ name: 'Convidada' });
    await using opened = await scene.open('/people?tab=invited', { browser: { locale: 'pt-PT' } });
    const { page } = opened;
    await page.getByRole('heading', { name: 'Pessoas', level: 1 }).waitFor();
    await page.getByText(email).waitFor();
    expect(await page.getByRole('cell', { name: 'Ativo', exact: true }).count()).toBe(0);
    await expectAccessible(page);
  });
});

describe.skipIf(!hasBrowser)('the people of a service with an identity provider', () => {
  const identityProvider = {
    issuer: 'https://id.example',
    clientId: 'roster',
    clientSecret: undefined,
    publicUrl: 'https://roster.example',
    scopes: 'openid email profile',
    isEmailTrusted: false,
    claims: undefined,
  };
  const scene = useConsole({ server: { identityProvider } });

  it('are told where to sign in', async () => {
    await using opened = await scene.open('/people?create=true');
    const { page } = opened;
    const form = page.getByRole('region', { name: 'Invite people' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Carla Nunes');
    await form.getByRole('textbox', { name: 'Email' }).fill('carla@atlantico.example');
    await form.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('as carla@atlantico.example. No message was sent, so let them know.').waitFor();
    expect(await page.getByRole('button', { name: /link/ }).count()).toBe(0);
    expect(await page.getByText('Needs a sign-in link').count()).toBe(0);
    await expectAccessible(page);
  });
});
