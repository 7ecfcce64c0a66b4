import { readablePhone } from '@roster/contract/phones';
import { describe, expect, it } from 'vitest';
import { createRecord } from '../support/directory.ts';
import { activate, expectAccessible, hasBrowser, press, tabTo, useConsole } from '../support/index.ts';

const noMouse = { isKeyboardOnly: true } as const;

describe.skipIf(!hasBrowser)('a new record that looks like another one', () => {
  const scene = useConsole();

  it('is told before it is created, and is created all the same if that is wanted', async () => {
    const { server } = scene;
    const phone = '+351940000001';
    const there = await createRecord(server, 'agents', { firstName: 'Ana', lastName: 'Presente', phone });
    await server.request('PUT', `/agents/${there.id}/deactivate`, {});
    // A record is found as soon as the service has compared it with others.
    const isFound = async () => {
      const other = { firstName: 'Ana', lastName: 'Presente', phone };
      const response = await server.request('PUT', '/agents/duplicates/check', other);
      return ((await response.json()) as { lookAlikes: unknown[] }).lookAlikes.length;
    };
    await expect.poll(isFound).toBe(1);
    await using opened = await scene.open('/agents/new', { as: 'editor', ...noMouse });
    const { page } = opened;
    const form = page.getByRole('form', { name: 'New agent' });
    const type = async (label: RegExp, text: string) => {
      await tabTo(page, form.getByRole('textbox', { name: label }));
      await page.keyboard.type(text);
    };
    await form.waitFor();
    await type(/^First name/, 'Ana');
    await type(/^Last name/, 'Presentes');
    await type(/^Phone/, phone);
    await press(page, 'Enter');
    await form.getByText('Possible duplicate of an existing record').waitFor();
    await form.getByText(`Same phone number ${readablePhone(phone, 'US')} · Similar name`).waitFor();
    await expectAccessible(page, '[aria-labelledby="panel-title"]');
    // The other one is looked at; what was typed is there on the way back.
    await activate(page, form.getByRole('link', { name: 'Ana Presente' }));
    await page.getByRole('heading', { name: 'Ana Presente', exact: true }).waitFor();
    await activate(page, page.getByRole('button', { name: 'Continue editing' }));
    await form.waitFor();
    await tabTo(page, form.getByRole('textbox', { name: 'Phone' }));
    await press(page, 'Enter');
    await activate(page, form.getByRole('button', { name: 'Create anyway' }));
    await page.getByRole('heading', { name: 'Ana Presentes' }).waitFor();
    await page.getByText('Possible duplicate:').waitFor();
  });

  it('is told by the check of an import, with what it looks like, and may be left out', async () => {
    const { server } = scene;
    const phone = '+351940000002';
    const there = await createRecord(server, 'agents', { firstName: 'Eva', lastName: 'Existente', phone });
    const isFound = async () => {
      const other = { firstName: 'Eva', lastName: 'Existente', phone };
      const response = await server.request('PUT', '/agents/duplicates/check', other);
      return ((await response.json()) as { lookAlikes: unknown[] }).lookAlikes.length;
    };
    await expect.poll(isFound).toBe(1);
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await page.getByRole('button', { name: 'Paste rows' }).click();
    const rows = ['First name,Last name,Phone', `Eva,Existente,${phone}`, 'Sara,Sozinha,+351940000004'];
    await page.getByRole('textbox', { name: 'Rows with a header' }).fill(rows.join('\n'));
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    const alike = page.getByRole('region', { name: '1 new record is a possible duplicate' });
    const first = alike.getByRole('listitem').first();
    await first.getByText(`Same phone number ${readablePhone(phone, 'US')} · Same name`).waitFor();
    expect(await first.getByRole('link', { name: 'Eva Existente' }).getAttribute('href')).toContain(there.id);
    await expectAccessible(page);
    await alike.getByRole('checkbox', { name: 'Skip these rows' }).check();
    await page.getByRole('button', { name: 'Import 1 valid row' }).click();
    await page.getByText('Import complete').waitFor();
    const created = await server.request('GET', '/agents?q=Existente');
    expect(((await created.json()) as { items: object[] }).items).toMatchObject([{ id: there.id }]);
  });

  it('is created without an answer about others', async () => {
    await using opened = await scene.open('/agents/new', { as: 'editor' });
    const { page, faults } = opened;
    faults.expect(/status of 500/);
    await page.route('**/trpc/agents.checkDuplicates*', (route) =>
      route.fulfill({ status: 500, body: '{}' }),
    );
    await page.getByRole('textbox', { name: /^First name/ }).fill('Ana');
    await page.getByRole('textbox', { name: /^Last name/ }).fill('Livre');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Ana Livre' }).waitFor();
  });
});
