import { resourceNames } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { expectAccessible, hasBrowser, useConsole } from '../support/index.ts';

describe.skipIf(!hasBrowser)('a directory without records', () => {
  const scene = useConsole();

  it('says in each list what it is for, and offers a file or the first record to those who may import', async () => {
    for (const resource of resourceNames) {
      await using opened = await scene.open(`/${resource}`, { as: 'manager' });
      const { page } = opened;
      await page.getByRole('heading', { name: `No ${resource} yet` }).waitFor();
      if (resource !== 'offices') await page.getByText('Offices first').waitFor();
      expect(await page.getByRole('link', { name: 'Go to offices' }).count()).toBe(
        resource === 'offices' ? 0 : 1,
      );
      await expectAccessible(page);
      await page.getByRole('link', { name: /^Create the first/ }).click();
      await page.waitForURL(new RegExp(`/console/${resource}/new`));
      await page.goBack();
      await page.getByRole('link', { name: 'Import a file' }).click();
      await page.waitForURL(/\/console\/imports/);
    }
  });

  it('offers the first record, and no file, to someone who may not import', async () => {
    await using opened = await scene.open('/agents', { as: 'editor' });
    await opened.page.getByRole('link', { name: 'Create the first agent' }).waitFor();
    expect(await opened.page.getByRole('link', { name: 'Import a file' }).count()).toBe(0);
  });

  it('offers nothing to someone who only reads', async () => {
    await using opened = await scene.open('/agents', { as: 'viewer' });
    const { page } = opened;
    await page.getByRole('heading', { name: 'No agents yet' }).waitFor();
    expect(await page.getByRole('link', { name: /^(Import a file|Create the first)/ }).count()).toBe(0);
  });

  it('has a home page that says what to begin with, offices first', async () => {
    await using opened = await scene.open('/');
    const { page } = opened;
    await page.getByRole('heading', { name: 'Create an office' }).waitFor();
    await page.getByText('Offices come first').waitFor();
    await page.getByRole('link', { name: 'Choose a file' }).waitFor();
    await page.getByRole('button', { name: 'Load samples' }).waitFor();
    expect(await page.getByRole('heading', { name: 'Licences to renew' }).count()).toBe(0);
    await expectAccessible(page);
  });

  it('gets the samples by one button, as imports that can be undone, from who may create records of all resources', async () => {
    await using limited = await scene.open('/offices', { as: 'editor' });
    await limited.page.getByRole('link', { name: 'Create the first office' }).waitFor();
    expect(await limited.page.getByRole('button', { name: 'Load samples' }).count()).toBe(0);

    await using opened = await scene.open('/teams', { as: 'manager' });
    const { page } = opened;
    // The other lists have been seen empty, too.
    for (const resource of resourceNames) {
      await page
        .getByRole('link', { name: new RegExp(`^${resource}`, 'i') })
        .first()
        .click();
      await page.getByRole('heading', { name: `No ${resource} yet` }).waitFor();
    }
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Load samples' }).click();
    await page.getByText('Samples loaded.').waitFor();
    await page
      .getByRole('link', { name: 'Algarve International' })
      .or(page.getByText('Algarve International'))
      .first()
      .waitFor();
    const count = async (path: string) => {
      const response = await scene.server.request('GET', `${path}includeTotal=true&limit=1`);
      return ((await response.json()) as { total: number }).total;
    };
    expect([await count('/offices?'), await count('/agents?'), await count('/teams?')]).toEqual([11, 68, 6]);
    const teams = (await (await scene.server.request('GET', '/teams')).json()) as {
      items: { members: object[] }[];
    };
    expect(teams.items.map(({ members }) => members.length).sort()).toEqual([3, 3, 4, 4, 4, 4]);
    // Days are moved to where they were when the samples were written: of the licences, two have expired and nine soon will.
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
    expect(await count(`/agents?licenseExpiresBefore=${day(0)}&`)).toBe(2);
    expect(await count(`/agents?licenseExpiresBefore=${day(61)}&`)).toBe(11);
    await page.getByRole('link', { name: 'Home', exact: true }).click();
    await page.getByRole('heading', { name: 'Licences to renew' }).waitFor();
    await page.getByRole('link', { name: 'Agents', exact: true }).click();
    await page.getByText('Rita Abreu').first().waitFor();

    const imports = (await (await scene.server.request('GET', '/imports')).json()) as {
      items: { id: string }[];
    };
    expect(imports.items).toHaveLength(3);
    for (const { id } of imports.items) {
      const undo = (await (await scene.server.request('PUT', `/imports/${id}/undo`)).json()) as {
        id: string;
      };
      await expect
        .poll(
          async () =>
            ((await (await scene.server.request('GET', `/jobs/${undo.id}`)).json()) as { status: string })
              .status,
        )
        .toBe('completed');
    }
    expect([await count('/offices?'), await count('/agents?'), await count('/teams?')]).toEqual([0, 0, 0]);
  });
});
