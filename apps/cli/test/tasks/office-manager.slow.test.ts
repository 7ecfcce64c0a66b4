import { mkdtempSync, openAsBlob, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWorkbook } from '@roster/import/workbook';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

/** What an office manager does, as in the console (`apps/console/test/tasks`), over REST and in the command line. */

const directory = mkdtempSync(join(tmpdir(), 'roster-tasks-'));
const samples = new URL('../../../../samples/', import.meta.url).pathname;

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
/** The first Monday from tomorrow on. */
const monday = dayIn((8 - new Date().getUTCDay()) % 7 || 7);

const messy = [
  'Nome próprio;Family;E-mail;Estado;Validade;License #;Escritório;Sapatos',
  'Inês;Três;ines@staff.example;ativo;31/12/2031;A1;Casa Clara Minho;38',
  'Zé;Quatro;ze@staff.example;inativo;01/02/2031;A2;Casa Clara Minho;44',
  'Eva;Cinco;eva@staff.example;ativo;01/02/2031;A3;Nowhere;41',
].join('\r\n');

interface Listed {
  id: string;
  displayName: string;
}

type Ids = readonly string[];

/** The same tasks by different means. Each resolves to what the manager sees afterwards, if anything. */
interface Means {
  find: (q: string) => Promise<string | undefined>;
  setPhone: (id: string, phone: string) => Promise<unknown>;
  transfer: (id: string, officeId: string, day: string) => Promise<unknown>;
  deactivateOffice: (id: string) => Promise<unknown>;
  reactivateOffice: (id: string) => Promise<unknown>;
  importFile: (text: string) => Promise<unknown>;
  namesOf: (query: Record<string, string>) => Promise<string[]>;
  revert: (id: string, to: number) => Promise<unknown>;
  setTitles: (officeId: string, title: string, count: number) => Promise<unknown>;
  invite: (name: string, email: string, officeIds: Ids) => Promise<string>;
  transferMany: (ids: Ids, officeId: string, day: string) => Promise<unknown>;
}

const service = useTestService(async ({ at, client }) => {
  await client().settings.update.mutate({ defaultCountry: 'PT' });
  for (const resource of ['offices', 'agents']) {
    const { exit, stderr } = await at('pipe', [resource, 'import', `${samples}${resource}.csv`]);
    if (exit !== 0) throw new Error(stderr);
  }
});

async function rest<Result>(method: string, path: string, body?: object | string, type = 'application/json') {
  const response = await fetch(`${service.url()}${path}`, {
    method,
    headers: { Authorization: `Bearer ${service.key()}`, ...(body && { 'Content-Type': type }) },
    ...(body && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return JSON.parse(text) as Result;
}

interface Job {
  id: string;
  finishedAt: string | null;
}

async function ended(path: string): Promise<Job> {
  await expect
    .poll(async () => (await rest<Job>('GET', path)).finishedAt, { timeout: 20_000 })
    .not.toBeNull();
  return rest<Job>('GET', path);
}

async function bulk(body: object): Promise<void> {
  const { id } = await rest<Job>('POST', '/agents/bulk', body);
  expect(await ended(`/jobs/${id}`)).toMatchObject({ status: 'completed' });
}

const overRest: Means = {
  find: async (q) => {
    const query = new URLSearchParams({ q, sort: 'relevance' });
    return (await rest<{ items: Listed[] }>('GET', `/agents?${query}`)).items[0]?.displayName;
  },
  setPhone: (id, phone) => rest('PATCH', `/agents/${id}`, { phone }, 'application/merge-patch+json'),
  transfer: (id, officeId, effectiveOn) => rest('PUT', `/agents/${id}/transfer`, { officeId, effectiveOn }),
  deactivateOffice: (id) => rest('PUT', `/offices/${id}/deactivate`, { cascade: true }),
  reactivateOffice: (id) => rest('PUT', `/offices/${id}/reactivate`, { cascade: true }),
  importFile: async (text) => {
    const mapping = { columns: { Family: 'lastName', Sapatos: '' }, dates: { Validade: 'day-first' } };
    const query = new URLSearchParams({ mapping: JSON.stringify(mapping) });
    const { id } = await rest<Job>('POST', `/imports/agents/file?${query}`, text, 'text/csv');
    await ended(`/imports/${id}`);
    await rest('PUT', `/imports/${id}/write`, { skip: ['errors'] });
    expect(await ended(`/imports/${id}`)).toMatchObject({ created: 2, errors: 1 });
  },
  namesOf: async (given) => {
    const query = new URLSearchParams({ ...given, expand: 'place', limit: '200' });
    return (await rest<{ items: Listed[] }>('GET', `/agents?${query}`)).items.map((one) => one.displayName);
  },
  revert: (id, toVersion) => rest('PUT', `/agents/${id}/revert`, { toVersion }),
  setTitles: (officeId, title, expectedCount) =>
    bulk({ filter: { officeId }, change: { type: 'update', patch: { title } }, expectedCount }),
  invite: async (name, email, officeIds) => {
    const grants = [{ role: 'manager', officeIds }];
    return (await rest<{ status: string }>('POST', '/people', { name, email, grants })).status;
  },
  transferMany: (ids, officeId, effectiveOn) =>
    bulk({
      filter: { ids },
      change: { type: 'transfer', officeId },
      expectedCount: ids.length,
      effectiveOn,
    }),
};

const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

async function run(...argv: string[]): Promise<string> {
  const { exit, stdout, stderr } = await service.at('pipe', argv);
  if (exit !== 0) throw new Error(`${argv.join(' ')}: ${stderr}`);
  return stdout;
}

const optionsOf = (query: Record<string, string>) =>
  Object.entries(query).flatMap(([name, value]) => [`--${kebab(name)}`, value]);

const inCommandLine: Means = {
  find: async (q) => {
    const list = await run('agents', 'list', '--q', q, '--sort', 'relevance', '--json');
    return (JSON.parse(list) as { items: Listed[] }).items[0]?.displayName;
  },
  setPhone: (id, phone) => run('agents', 'update', id, '--phone', phone),
  transfer: (id, officeId, day) =>
    run('agents', 'transfer', id, '--office-id', officeId, '--effective-on', day),
  deactivateOffice: (id) => run('offices', 'deactivate', id, '--cascade'),
  reactivateOffice: (id) => run('offices', 'reactivate', id, '--cascade'),
  importFile: async (text) => {
    const file = join(directory, 'staff.csv');
    writeFileSync(file, text);
    const options = ['--map', 'Family=lastName', '--ignore', 'Sapatos', '--dates', 'Validade=day-first'];
    const argv = ['agents', 'import', file, ...options, '--skip', 'errors'];
    const { exit, stderr } = await service.at('pipe', argv);
    expect([exit, stderr]).toEqual([1, expect.stringContaining('1 of 3 rows have errors')]);
  },
  namesOf: async (query) => {
    const file = join(directory, 'list.xlsx');
    await run('agents', 'export', file, '--force', ...optionsOf(query));
    const { csv } = await readWorkbook(await openAsBlob(file));
    const [, ...rows] = (await csv.text()).split('\n');
    return rows.map((row) => row.split('","', 1)[0]?.slice(1) ?? '');
  },
  revert: (id, to) => run('agents', 'revert', id, '--to', String(to)),
  setTitles: (officeId, title, count) =>
    run(
      ...['agents', 'bulk', '--office-id', officeId, '--set', `title=${title}`],
      ...['--expect', String(count), '--yes', '--wait'],
    ),
  invite: async (name, email, officeIds) => {
    const grant = JSON.stringify({ role: 'manager', officeIds });
    const invited = await run(
      'people',
      'invite',
      '--name',
      name,
      '--email',
      email,
      '--grant',
      grant,
      '--json',
    );
    return (JSON.parse(invited) as { status: string }).status;
  },
  transferMany: (ids, officeId, day) =>
    run(
      ...['agents', 'bulk', ...ids.flatMap((id) => ['--id', id]), '--transfer-to', officeId],
      ...['--effective-on', day, '--expect', String(ids.length), '--yes', '--wait'],
    ),
};

/** A record of the samples, by its key in their source. */
async function sample(resource: 'offices' | 'agents', sourceKey: string) {
  const { items } = await service.client()[resource].list.query({ sourceKey: [sourceKey] });
  if (items[0] === undefined) throw new Error(`The samples have no ${sourceKey}.`);
  return items[0];
}

async function newOffice(name: string, count: number, more: object = {}) {
  const { offices, agents } = service.client();
  const { id: officeId } = await offices.create.mutate({ name, ...more });
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1)
    ids.push((await agents.create.mutate({ firstName: 'Ana', lastName: `${name} ${at}`, officeId })).id);
  return { officeId, ids };
}

const agentOf = (id: string) => service.client().agents.get.query({ id });

describe.each([
  ['over REST', overRest, '1'],
  ['in the command line', inCommandLine, '2'],
] as const)('an office manager, %s,', (way, by, suffix) => {
  it('finds someone whose name is typed wrongly', async () => {
    expect(await by.find('Figeiredo')).toBe('Inês Figueiredo');
  });

  it('corrects a telephone number', async () => {
    const { id } = await sample('agents', 'AGT-00010');
    await by.setPhone(id, `+351 214 000 19${suffix}`);
    expect((await agentOf(id)).phone).toBe(`+35121400019${suffix}`);
  });

  it('moves someone to another office on a day', async () => {
    const [{ id }, office] = [
      await sample('agents', `AGT-0001${suffix}`),
      await sample('offices', 'OFF-0005'),
    ];
    await by.transfer(id, office.id, dayIn(40));
    const { scheduledChanges } = await agentOf(id);
    expect(scheduledChanges).toMatchObject([{ change: 'transfer', officeId: office.id }]);
  });

  it('deactivates an office with its agents, and undoes that', async () => {
    const { officeId, ids } = await newOffice(`Fecha ${suffix}`, 5);
    const statuses = async () => {
      const all = await Promise.all(ids.map(agentOf));
      const office = await service.client().offices.get.query({ id: officeId });
      return new Set([office.status, ...all.map(({ status }) => status)]);
    };
    await by.deactivateOffice(officeId);
    expect(await statuses()).toEqual(new Set(['inactive']));
    await by.reactivateOffice(officeId);
    expect(await statuses()).toEqual(new Set(['active']));
  });

  it('imports a messy spreadsheet without the rows that have errors', async () => {
    await by.importFile(messy.replaceAll('@staff', `@staff${suffix}`));
    const email = ['ines', 'ze', 'eva'].map((name) => `${name}@staff${suffix}.example`);
    const { items } = await service.client().agents.list.query({ email, sort: 'firstName' });
    expect(items).toMatchObject([
      { lastName: 'Três', status: 'active', licenses: [{ number: 'A1', expiresOn: '2031-12-31' }] },
      { lastName: 'Quatro', status: 'inactive', licenses: [{ number: 'A2', expiresOn: '2031-02-01' }] },
    ]);
  });

  it('exports a list', async () => {
    expect(await by.namesOf({ q: 'Drummond' })).toEqual(['Isla Drummond']);
  });

  it('takes a change back', async () => {
    const { id, title, version } = await agentOf((await sample('agents', 'AGT-00030')).id);
    await service.client().agents.update.mutate({ id, title: `Director ${way}` });
    await by.revert(id, version);
    expect((await agentOf(id)).title).toBe(title);
  });

  it('changes 20 records at once', async () => {
    const { officeId, ids } = await newOffice(`Sócios ${suffix}`, 20);
    await by.setTitles(officeId, 'Partner', 20);
    const titles = await Promise.all(ids.map(async (id) => (await agentOf(id)).title));
    expect(new Set(titles)).toEqual(new Set(['Partner']));
  });

  it('invites a person for two offices', async () => {
    const ids = [(await sample('offices', 'OFF-0004')).id, (await sample('offices', 'OFF-0005')).id];
    expect(await by.invite('Carla Nunes', `carla${suffix}@casaclara.example`, ids)).toBe('invited');
  });

  it('sees whose licences expire within 60 days', async () => {
    const within = { licenseExpiresSince: 'P0D', licenseExpiresBefore: 'P61D' };
    const names = await by.namesOf({ ...within, sourceName: 'Sample MLS' });
    expect(names.length).toBeGreaterThan(5);
    expect(names).toContain('Hugo Teixeira');
  });

  it('moves five agents to another office from Monday', async () => {
    const [{ ids }, { officeId }] = [
      await newOffice(`De ${suffix}`, 6),
      await newOffice(`Para ${suffix}`, 0),
    ];
    await by.transferMany(ids.slice(0, 5), officeId, monday);
    const scheduled = await Promise.all(ids.map(async (id) => (await agentOf(id)).scheduledChanges));
    expect(scheduled.map((changes) => changes.length)).toEqual([1, 1, 1, 1, 1, 0]);
    expect(scheduled[0]).toMatchObject([{ change: 'transfer', officeId }]);
    expect(scheduled[0]?.[0]?.effectiveAt.slice(0, 10)).toBe(monday);
  });

  it('exports the agents in Porto whose licences end within 60 days', async () => {
    const { ids } = await newOffice(`Porto ${suffix}`, 3, { address: { city: `Porto ${suffix}` } });
    for (const [at, days] of [50, 61, -1].entries()) {
      const licenses = [{ number: `AMI ${at}`, expiresOn: dayIn(days) }];
      await service.client().agents.update.mutate({ id: ids[at] ?? '', licenses });
    }
    const within = { licenseExpiresSince: 'P0D', licenseExpiresBefore: 'P61D' };
    expect(await by.namesOf({ city: `porto ${suffix}`, ...within, sort: 'city' })).toEqual([
      `Ana Porto ${suffix} 0`,
    ]);
  });
});
