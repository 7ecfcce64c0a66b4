import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { activate, expectAccessible, expectNarrow, hasBrowser, tabTo, useConsole } from '../support/index.ts';

const csv = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
});

/** Chooses a file and has its rows checked. */
async function check(page: Page, name: string, lines: readonly string[]): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(csv(name, lines));
  await page.getByRole('button', { name: 'Check all rows' }).click();
}

describe.skipIf(!hasBrowser)('the errors of an import', () => {
  const scene = useConsole();
  const office = (name: string, country = 'PT') =>
    scene.server.request('POST', '/offices', { name, address: { country } });
  const listed = async (path: string) => {
    const response = await scene.server.request('GET', path);
    return (await response.json()) as { total: number; items: Record<string, unknown>[] };
  };
  const needing = (page: Page, count: number) =>
    page.getByRole('region', {
      name: count === 1 ? '1 row needs a correction' : `${count} rows need a correction`,
    });

  it('are grouped by column and kind, corrected for all rows with a text, or in one cell, and kept until the correction is undone', async () => {
    await office('Casa Mend Lisboa Baixa');
    await office('Casa Mend Porto');
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await check(page, 'mend.csv', [
      'First name,Last name,Office,Mobile',
      ...['Ana', 'Rui', 'Eva'].map((name) => `${name},Mend,Casa Mend Lisbao Baixa,+351 912 345 678`),
      'Leo,Mend,Elsewhere Entirely,+351 912 345 678',
      'Zé,Mend,Casa Mend Porto,+351 912 345',
      'Gil,Mend,Casa Mend Porto,+351 912 345 678',
    ]);
    await needing(page, 5).getByText('in 2 groups.').waitFor();
    await needing(page, 5).getByText('4 rows').waitFor();
    await needing(page, 5).getByText('too short').waitFor();
    expect(await page.getByText('Everything in this file is already up to date').count()).toBe(0);
    // Most rows fail: the button that imports the rest is outlined.
    const some = page.getByRole('button', { name: 'Import 1 of 6 rows' });
    expect(await some.getAttribute('class')).not.toContain('bg-accent');
    await expectAccessible(page);
    await expectNarrow(page);

    const meant = page
      .getByRole('listitem')
      .filter({ hasText: 'Did you mean Casa Mend Lisboa Baixa?' })
      .last();
    await meant.getByRole('button', { name: 'Casa Mend Lisbao Baixa' }).click();
    await page.getByRole('textbox', { name: 'Office, row 3' }).fill('Casa Mend Porto');
    await page.getByRole('textbox', { name: 'Office, row 3' }).press('Enter');
    await needing(page, 4).waitFor();
    await page.getByRole('button', { name: 'Apply to 2 rows' }).first().click();
    await needing(page, 2).waitFor();
    expect(await page.getByRole('button', { name: 'Import 4 of 6 rows' }).getAttribute('class')).toContain(
      'bg-accent',
    );
    const corrected = page.getByRole('group').filter({ hasText: 'Corrected' });
    await corrected.getByText('Casa Mend Lisboa Baixa, Casa Mend Porto').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);

    // Corrections are of the service: another page has them, too.
    await page.reload();
    await needing(page, 2).waitFor();
    await corrected.getByRole('button', { name: 'Undo' }).click();
    await needing(page, 5).waitFor();
    const offices = page.getByRole('group').filter({ hasText: "doesn't exist" });
    await offices.locator('summary').click();
    await offices.getByRole('button', { name: 'Apply to 3 rows' }).click();
    await needing(page, 2).waitFor();
    const box = page.getByRole('combobox', { name: 'Correct “Elsewhere Entirely” to' });
    await box.fill('Casa Mend Porto');
    await page.getByRole('option', { name: 'Casa Mend Porto' }).click();
    await offices.getByRole('button', { name: 'Apply to 1 row' }).click();
    await needing(page, 1).waitFor();
    await page.getByRole('button', { name: 'Import 5 of 6 rows' }).click();
    await page.getByText('5 rows imported, 1 not').waitFor();
    await page.getByRole('region', { name: '1 row not imported' }).waitFor();
    await expectAccessible(page);
    expect((await listed('/agents?q=Mend&includeTotal=true&limit=1')).total).toBe(5);
  });

  it('are corrected with a keyboard, one cell after the other', async () => {
    await office('Casa Keys');
    await using opened = await scene.open('/imports', { as: 'manager', isKeyboardOnly: true });
    const { page } = opened;
    // Awaited before the way to the button: a key pressed at once may come before the browser intercepts dialogs.
    const chooser = page.waitForEvent('filechooser');
    await activate(page, page.getByRole('button', { name: 'Choose a file' }));
    await (await chooser).setFiles(
      csv('keys.csv', ['First name,Last name,Office', 'Ana,Keys,Casa Kesy', 'Rui,Keys,Casa Kesy']),
    );
    await activate(page, page.getByRole('button', { name: 'Check all rows' }));
    await needing(page, 2).waitFor();
    await activate(page, page.getByRole('button', { name: 'Casa Kesy', exact: true }));
    await tabTo(page, page.getByRole('textbox', { name: 'Office, row 2' }));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Casa Keys');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type('Casa Keys');
    await page.keyboard.press('Enter');
    await page.getByText('All 2 rows can be imported').waitFor();
  });

  it('for want of a column that the file has are mended by using it', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    await page
      .locator('input[type=file]')
      .setInputFiles(
        csv('lack.csv', [
          'First name,Last name,Licence no.,Licence expiry date',
          'Ana,Lack,LACK-1,2031-01-01',
          'Rui,Lack,LACK-2,2031-01-01',
        ]),
      );
    const number = page.getByRole('combobox', { name: 'Licence no.' });
    await expect.poll(() => number.inputValue()).toBe('Licence number');
    await number.locator('..').getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Licence expiry date needs a licence number.').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await needing(page, 2).getByText('It has a value in all 2 rows.').waitFor();
    await needing(page, 2).getByText('missing').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Use as licence number' }).click();
    await page.getByText('All 2 rows can be imported').waitFor();
  });

  it('are worded in Portuguese, in the dark too', async () => {
    await office('Casa Escura');
    await using opened = await scene.open('/imports', {
      as: 'manager',
      browser: { locale: 'pt-PT', colorScheme: 'dark' },
    });
    const { page } = opened;
    await page
      .locator('input[type=file]')
      .setInputFiles(csv('escura.csv', ['Nome próprio,Apelido,Escritório', 'Ana,Escura,Casa Esucra']));
    await page.getByRole('button', { name: 'Verificar todas as linhas' }).click();
    await page.getByRole('region', { name: '1 linha precisa de correção' }).waitFor();
    await page.getByText('não existe').waitFor();
    await page.getByText('Queria dizer Casa Escura?').waitFor();
    await expectAccessible(page);
    await expectNarrow(page);
  });

  it('of 20,000 agents in two countries are mended, and the rows imported, in at most eight clicks', async () => {
    await office('Vinte Lisboa');
    await office('Vinte Madrid', 'ES');
    const rows = Array.from({ length: 20_000 }, (_, index) => {
      const isSpanish = index % 3 === 0;
      const named = isSpanish ? 'Vinte Madrid' : 'Vinte Lisboa';
      const name = index % 100 === 50 ? named.replace('Vinte', 'Vintte') : named;
      const mobile = `${isSpanish ? '612' : '912'} ${String(100_000 + index).replace(/(...)$/, ' $1')}`;
      return `Agent${index},Vinte,${name},${mobile},agent${index}@vinte.example`;
    });
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    let clicks = 0;
    const click = async (name: string | RegExp) => {
      await page.getByRole('button', { name }).first().click();
      clicks += 1;
    };
    const chooser = page.waitForEvent('filechooser');
    await click('Choose a file');
    await (await chooser).setFiles(csv('vinte.csv', ['First name,Last name,Office,Mobile,Email', ...rows]));
    clicks += 1;
    await click('Check all rows');
    await needing(page, 200).waitFor();
    await click(/^Apply to 1\d\d rows/);
    await click(/^Apply to \d\d rows/);
    await page.getByText('All 20,000 rows can be imported').waitFor();
    await click('Import 20,000 rows');
    await page.getByText('Import complete').waitFor();
    expect(clicks).toBeLessThanOrEqual(8);
    const { items } = await listed('/agents?email=agent50@vinte.example');
    expect(items).toMatchObject([{ firstName: 'Agent50', lastName: 'Vinte', mobilePhone: '+351912100050' }]);
    expect((await listed('/agents?email=agent0@vinte.example')).items).toMatchObject([
      { mobilePhone: '+34612100000' },
    ]);
  });

  it('are no reason to map the columns twice: a file with the same columns is read as the last one, after a reload too', async () => {
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const file = csv('again.csv', ['Voornaam,Bijnaam', 'Ana,Again']);
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('combobox', { name: 'Voornaam' }).fill('first n');
    await page.getByRole('option', { name: 'First name' }).click();
    await page.getByRole('combobox', { name: 'Bijnaam' }).fill('last n');
    await page.getByRole('option', { name: 'Last name' }).click();
    await page.getByRole('button', { name: 'Check all rows' }).click();
    await page.getByText('The row can be imported').waitFor();
    await page.goto(`${scene.server.url}/console/imports`);
    await page.locator('input[type=file]').setInputFiles(file);
    await expect.poll(() => page.getByRole('combobox', { name: 'Bijnaam' }).inputValue()).toBe('Last name');
  });
});

describe.skipIf(!hasBrowser)('rows that certainly are existing records', () => {
  const scene = useConsole();
  it('update these, unless someone creates or skips them', async () => {
    const { server } = scene;
    const known = { firstName: 'Ilda', lastName: 'Certain', phone: '+351213000777' };
    const created = await server.request('POST', '/agents', {
      ...known,
      licenses: [{ number: 'CERT-1' }],
    });
    const { id } = (await created.json()) as { id: string };
    await using opened = await scene.open('/imports', { as: 'manager' });
    const { page } = opened;
    const rows = [
      'First name,Last name,Phone,Licence number,Job title',
      'Ilda,Certain,+351213000777,CERT-1,Broker',
    ];
    await check(page, 'certain.csv', rows);
    const alike = page.getByRole('region', { name: '1 new record is a possible duplicate' });
    await alike.waitFor();
    expect(await alike.getByRole('radio').count()).toBe(3);
    expect(await alike.getByRole('radio', { name: 'Update the existing records' }).isChecked()).toBe(true);
    await expectAccessible(page);
    await expectNarrow(page);
    await page.getByRole('button', { name: 'Import 1 row' }).click();
    await page.getByText('Import complete').waitFor();
    const found = await server.request('GET', '/agents?q=Certain');
    expect(await found.json()).toMatchObject({ items: [{ id, title: 'Broker' }] });
  });
});
