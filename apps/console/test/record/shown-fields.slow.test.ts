import { neededFields } from '@roster/fields';
import { describe, expect, it } from 'vitest';
import { contracts, resourceNames } from '../../src/api/contract/contracts.ts';
import type { FieldContract } from '../../src/api/contract/types.ts';
import { changeRecord, createAgent, createRecord, type Resource } from '../support/directory.ts';
import { openChanges } from '../support/history.ts';
import { hasBrowser, useConsole } from '../support/index.ts';

/** What no person reads: objects and missing values as JavaScript writes them, times and days as the API has them, IDs. */
const UNREADABLE =
  /\[object|undefined|null|NaN|\d{4}-\d\d-\d\d|[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/;

describe.skipIf(!hasBrowser)('every field', () => {
  const scene = useConsole();

  /** A value of a field, made of its example; one that refers to a record has that of `ids`. */
  function exampleOf(field: FieldContract, ids: Record<string, string>): unknown {
    const { kind, refersTo, parts, choices, example, item } = field;
    if (refersTo !== undefined) return ids[refersTo];
    if (kind === 'records') return [examplesOf(parts ?? [], { ...ids, offices: ids.affiliated ?? '' })];
    if (kind === 'object') return examplesOf(parts ?? [], ids);
    if (kind === 'choice') return choices?.at(-1);
    if (example !== undefined) return example;
    const byKind: Record<string, unknown> = { date: '2031-03-01', list: [item?.choices?.[0]], switch: true };
    return byKind[kind] ?? 'A text';
  }

  const examplesOf = (fields: readonly FieldContract[], ids: Record<string, string>) =>
    Object.fromEntries(fields.map((field) => [field.name, exampleOf(field, ids)]));

  it.each(resourceNames)('of %s is readable in the history', async (resource) => {
    const { server } = scene;
    const office = await createRecord(server, 'offices', { name: `Referred of ${resource}` });
    const agent = await createAgent(server, `Referred of ${resource}`);
    const affiliated = await createRecord(server, 'offices', { name: `Affiliated of ${resource}` });
    const ids = { offices: office.id, agents: agent.id, affiliated: affiliated.id };
    const { fields } = contracts[resource];
    const needed = neededFields(contracts[resource]).map(({ name }) => name);
    const filled = await createRecord(server, resource as Resource, examplesOf(fields, ids));
    const path = `/${resource}/${filled.id}`;
    const optional = fields.filter(({ name }) => !needed.includes(name));
    const cleared = Object.fromEntries(optional.map(({ name }) => [name, null]));
    await changeRecord(server, path, { fields: cleared });
    const day = `${new Date().getFullYear() + 5}-01-04`;
    for (const operation of ['deactivate', 'reactivate'])
      await server.request('PUT', `${path}/${operation}`, { reason: 'A test' });
    if (resource !== 'teams') await server.request('PUT', `${path}/deactivate`, { effectiveOn: day });
    if (resource === 'offices')
      await server.request('PUT', `${path}/transfer-agents`, { toOfficeId: office.id, effectiveOn: day });
    if (resource === 'agents')
      await server.request('PUT', `${path}/transfer`, { officeId: office.id, effectiveOn: day });

    await using opened = await scene.open(`${path}/history`);
    const { page } = opened;
    const versions = page.getByRole('region', { name: 'Changes, newest first' }).getByRole('listitem');
    await openChanges(page);
    const last = { offices: 6, agents: 6, teams: 4 }[resource];
    await versions.getByText(`Version ${last}`, { exact: true }).first().waitFor();
    await page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
    const shown = await versions
      .filter({ has: page.getByText('Version 2', { exact: true }) })
      .locator('del')
      .allTextContents();
    // A part of an object has a line of its own.
    expect(shown.length).toBeGreaterThanOrEqual(optional.length);
    expect(shown.filter((text) => text === '' || text === '–')).toEqual([]);
    const texts = await versions.allTextContents();
    expect(texts.filter((text) => UNREADABLE.test(text))).toEqual([]);
  });

  it('is readable in the preview of the undo of a job', async () => {
    const { server } = scene;
    const { id } = await createAgent(server, 'Previewed', { mlsId: 'PREVIEWED' });
    await server.request('PUT', `/agents/${id}/deactivate`, { effectiveOn: '2031-01-04' });
    const body = { filter: { mlsId: 'PREVIEWED' }, change: { type: 'deactivate' }, expectedCount: 1 };
    const job = (await (await server.request('POST', '/agents/bulk', body)).json()) as { id: string };
    await using opened = await scene.open(`/jobs/${job.id}`, { as: 'manager' });
    const { page } = opened;
    await page.getByText('Completed').waitFor();
    await page.getByRole('button', { name: 'Undo all' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Active', { exact: true }).waitFor();
    expect(await dialog.textContent()).not.toMatch(UNREADABLE);
  });
});
