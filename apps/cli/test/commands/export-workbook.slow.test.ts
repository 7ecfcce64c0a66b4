import { mkdtempSync, openAsBlob, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorkbook } from '@roster/import/workbook';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const licences = (days: number) => [
  { number: 'LATER', expiresOn: dayIn(900) },
  { number: `=AMI ${days}`, expiresOn: dayIn(days) },
];

const service = useTestService(async ({ client }) => {
  const { offices, agents, teams, settings } = client();
  await settings.update.mutate({ defaultCountry: 'PT' });
  const porto = await offices.create.mutate({ name: '=Casa Clara', address: { city: 'Porto' } });
  const faro = await offices.create.mutate({ name: 'Faro', address: { city: 'Faro' } });
  const mobilePhone = '+351910000001';
  const [inPorto, inFaro] = [{ officeId: porto.id }, { officeId: faro.id }];
  await agents.create.mutate({ firstName: 'Rui', lastName: 'Late', licenses: licences(61), ...inPorto });
  await agents.create.mutate({ firstName: 'Zé', lastName: 'Faro', licenses: licences(20), ...inFaro });
  await agents.create.mutate({
    firstName: '=Ana',
    lastName: 'Reis',
    mobilePhone,
    licenses: licences(20),
    ...inPorto,
  });
  await agents.create.mutate({
    firstName: 'Eva',
    lastName: 'Own',
    licenses: licences(59),
    address: { city: 'PORTO' },
  });
  await teams.create.mutate({ name: 'Ribeira', officeId: porto.id });
});
const directory = mkdtempSync(join(tmpdir(), 'roster-workbook-'));

/** The agents in Porto whose licences end within 60 days, the first to end first. */
const wanted = {
  city: 'porto',
  licenseExpiresSince: 'P0D',
  licenseExpiresBefore: 'P61D',
  sort: 'nextLicenseExpiresOn',
};
const options = [
  ...['--city', 'porto', '--license-expires-since', 'P0D', '--license-expires-before', 'P61D'],
  ...['--sort', 'nextLicenseExpiresOn'],
];

async function exported(resource: string, given: string[] = []) {
  const file = join(directory, `${resource}.xlsx`);
  const { exit, stderr } = await service.at('pipe', [resource, 'export', file, '--force', ...given]);
  const { csv, name, notes } = await readWorkbook(await openAsBlob(file));
  const lines = (await csv.text())
    .split('\n')
    .map((line) => JSON.parse(`[${line.replaceAll(/,(?=,|$)/g, ',""')}]`));
  return { file, exit, stderr, lines, name, notes };
}

describe('agents in Porto whose licence ends within 60 days, exported for Excel,', () => {
  it('are those of the list, with office, city, number of the licence, its end as a day, best number and mobile', async () => {
    const response = await fetch(`${service.url()}/agents?${new URLSearchParams(wanted)}`, {
      headers: { Authorization: `Bearer ${service.key()}` },
    });
    const { items } = (await response.json()) as { items: { displayName: string }[] };
    expect(items.map(({ displayName }) => displayName)).toEqual(['=Ana Reis', 'Eva Own']);
    const { file, exit, stderr, lines, name, notes } = await exported('agents', options);
    expect([exit, stderr, name]).toEqual([0, 'Exported 2 agents.\n', 'Agents']);
    const phone = '910 000 001';
    expect(lines).toEqual([
      ['Name', 'Office', 'City', 'Phone', 'Email', 'Licence ends', 'Licence number', 'Mobile'],
      ['=Ana Reis', '=Casa Clara', 'Porto', phone, '', dayIn(20), '=AMI 20', phone],
      ['Eva Own', '', 'PORTO', '', '', dayIn(59), '=AMI 59', ''],
    ]);
    expect(notes.formulas).toEqual([]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

it('a workbook has the columns of a list of each resource, and offices by their names', async () => {
  const offices = await exported('offices', ['--sort', 'name']);
  expect(offices.lines).toEqual([
    ['Name', 'City', 'Phone', 'Email', 'Active agents'],
    ['=Casa Clara', 'Porto', '', '', '2'],
    ['Faro', 'Faro', '', '', '1'],
  ]);
  const teams = await exported('teams');
  expect(teams.lines[0]).toEqual(['Name', 'Status', 'Office', 'Email', 'Phone', 'Changed']);
  expect(teams.lines[1]).toEqual([
    ...['Ribeira', 'Active', '=Casa Clara', '', ''],
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d/),
  ]);
});

it('a workbook is written to a file alone, with a row for each record', async () => {
  for (const argv of [
    ['--format', 'xlsx'],
    ['-', '--format', 'xlsx'],
  ]) {
    const { exit, stderr } = await service.at('pipe', ['agents', 'export', ...argv]);
    expect([exit, stderr]).toEqual([2, expect.stringContaining('a workbook needs a file')]);
  }
  const rows = [join(directory, 'rows.xlsx'), '--rows', 'members'];
  const { exit, stderr } = await service.at('pipe', ['teams', 'export', ...rows]);
  expect([exit, stderr]).toEqual([2, expect.stringContaining('--rows does not apply to a workbook')]);
});
