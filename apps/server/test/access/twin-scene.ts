import { setTimeout } from 'node:timers/promises';
import { scopes } from '@roster/api';
import { sql } from 'kysely';
import { keyWith } from '../support/auth/keys.ts';
import { startTestServer } from '../support/index.ts';
import { Twin } from './twin.ts';

type Body = Record<string, unknown>;

export const FIRST_NAMES = ['Ana', 'João', 'Rui', 'Inês'];
export const LAST_NAMES = ['Figueiredo', 'Figueira', 'Sousa', 'Sørensen', 'Reis'];
const REGIONS = ['LX', 'PO'];

/** The clock of both services: long before that of the database, so that the times of the two can be told apart. */
export class Clock {
  #ms = 0;
  readonly now = () => new Date(this.#ms);
  /** Back to the beginning, where both services start. */
  reset(): void {
    this.#ms = Date.parse('2021-03-01T08:00:00.000Z');
  }
  /** The next step: a second later. */
  tick(): void {
    this.#ms += 1_000;
  }
}

async function created(twin: Twin, path: string, body: Body): Promise<string> {
  const response = await twin.server.request('POST', path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
  return (JSON.parse(text) as { id: string }).id;
}

/** What both services have alike: an office of the caller with a branch, another one that is granted too, and agents. */
async function visible(twin: Twin, clock: Clock): Promise<string[]> {
  // Lists are in the order of creation, so no two records are created at the same time.
  const create = (path: string, body: Body) => {
    clock.tick();
    return created(twin, path, body);
  };
  const main = await create('/offices', { name: 'Lapa', timeZone: 'Europe/Lisbon' });
  const branch = await create('/offices', { name: 'Lapa Norte', mainOfficeId: main });
  const other = await create('/offices', { name: 'Reis', address: { region: 'LX' } });
  for (const id of [main, branch, other]) twin.know('office', id);
  for (let n = 0; n < 12; n += 1) {
    const agent = await create('/agents', {
      firstName: FIRST_NAMES[n % 4],
      lastName: LAST_NAMES[n % 5],
      officeId: [main, branch, other][n % 3],
      email: `visible${n}@seen.example`,
      address: { city: 'Lisboa', region: REGIONS[n % 2] },
      licenses: [{ number: `S${n}`, region: 'LX', expiresOn: `2021-0${1 + (n % 9)}-15` }],
    });
    twin.know('agent', agent);
  }
  return [main, other];
}

/** A record that the caller may not see. */
async function unseen(twin: Twin, path: string, body: Body): Promise<string> {
  const id = await created(twin, path, body);
  twin.hide(id);
  return id;
}

async function change(twin: Twin, method: string, path: string, body: Body): Promise<void> {
  const response = await twin.server.request(method, path, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${text}`);
}

/**
 * What of a hidden office meets what is visible: members of visible teams, records that refer to visible ones, and merges. One of them has
 * more of it than the other; that there is some cannot be hidden everywhere, as has_dependents shows.
 */
async function adjacent(twin: Twin, clock: Clock, seed: number): Promise<void> {
  const [main, branch, other] = twin.known.office ?? [];
  const seen = twin.known.agent ?? [];
  const office = await unseen(twin, '/offices', { name: 'Ao lado', brokerAgentId: seen[0] });
  const agent = (lastName: string, more: Body = {}) =>
    unseen(twin, '/agents', { firstName: 'Eva', lastName, officeId: office, ...more });
  const members = [];
  for (let n = 0; n < 2 * seed; n += 1) members.push(await agent(`Membro ${n}`));
  twin.know('unseen', members[0] ?? '');
  for (let n = 0; n < seed; n += 1) {
    await agent(`Assistente ${n}`, { assistantToAgentId: seen[0], affiliations: [{ officeId: other }] });
    const besides = [{ agentId: seen[n] }, { agentId: members[0] }];
    twin.know('besides', await unseen(twin, '/teams', { name: `Lado ${n}`, members: besides }));
    await unseen(twin, '/offices', { name: `Ramo ${n}`, mainOfficeId: office, managerAgentId: seen[0] });
  }
  const member = (agentId: string | undefined) => ({
    agentId,
    title: `Since ${seed}`,
    since: `2020-01-0${seed}`,
  });
  for (const [n, officeId] of [main, branch, other].entries()) {
    clock.tick();
    const body = { name: `Equipa ${n}`, officeId, phone: `+35191000000${n}` };
    const team = await created(twin, '/teams', {
      ...body,
      members: [{ agentId: seen[n] }, { agentId: seen[n + 1] }, ...members.slice(n).map(member)],
      ...(n === 1 && { source: { name: 'crm', key: 'team' } }),
    });
    twin.know('team', team);
    clock.tick();
    await change(twin, 'PATCH', `/teams/${team}`, {
      members: [{ agentId: seen[n + 1] }, ...members.map(member)],
    });
  }
  const survivor = await agent('Sobrevivente');
  clock.tick();
  const duplicate = { firstName: 'Ana', lastName: 'Sousa', officeId: main };
  const mergedAway = await created(twin, '/agents', { ...duplicate, email: 'away@seen.example' });
  clock.tick();
  const mergedHere = await created(twin, '/agents', { ...duplicate, email: 'here@seen.example' });
  const absorbed = await agent('Absorvida');
  clock.tick();
  await change(twin, 'POST', `/agents/${survivor}/merge`, { duplicateId: mergedAway });
  await change(twin, 'POST', `/agents/${mergedHere}/merge`, { duplicateId: absorbed });
  for (const [kind, id] of Object.entries({ mergedAway, mergedHere, absorbed })) twin.know(kind, id);
}

/** What only one of them has: offices, branches and agents, as many and as named as `seed` says. */
async function hidden(twin: Twin, seed: number): Promise<void> {
  const main = await unseen(twin, '/offices', {
    name: `Baixa ${seed}`,
    address: { region: 'LX' },
    timeZone: ['Pacific/Kiritimati', 'America/Adak'][seed % 2],
    ...(seed === 2 && { source: { name: 'unseen', key: '1' } }),
  });
  const branch = await unseen(twin, '/offices', { name: 'Reis', mainOfficeId: main });
  for (const id of [main, branch]) twin.know('hidden', id);
  for (let n = 0; n < 4 + seed; n += 1) {
    const agent = await unseen(twin, '/agents', {
      firstName: FIRST_NAMES[(n + seed) % 4],
      lastName: n % 3 === 0 ? `Figueiras${seed}` : LAST_NAMES[(n * seed) % 5],
      ...(n % 4 !== 3 && { officeId: n % 2 === 0 ? main : branch }),
      email: `hidden${seed}x${n}@unseen.example`,
      address: { city: 'Lisboa', region: REGIONS[seed % 2] },
      licenses: [{ number: `S${n}`, region: 'LX', expiresOn: '2021-04-15' }],
      // An affiliation gives no rights: the agent stays hidden from the office's people.
      ...(n === 0 && { affiliations: [{ officeId: twin.known.office?.[2] }] }),
    });
    twin.know('hidden', agent);
  }
  // As near to `sousax` as the visible Sousa, and more frequent.
  for (let n = 0; n < 8 * (seed - 1); n += 1) {
    const agent = await unseen(twin, '/agents', { firstName: 'Eva', lastName: 'Sousay', officeId: main });
    twin.know('hidden', agent);
  }
}

/** Changes something that the caller may not see, in one of the services alone. */
export async function disturb(twin: Twin, seed: number): Promise<void> {
  const ids = twin.known.hidden ?? [];
  const id = ids[seed % ids.length];
  const { request } = twin.server;
  const office = ids[seed % 2];
  const disturbances = [
    () => request('PATCH', `/agents/${id}`, { lastName: LAST_NAMES[seed % 5] }),
    () => request('PATCH', `/offices/${id}`, { bio: `Changed ${seed}` }),
    () => request('PUT', `/agents/${id}/transfer`, { officeId: office }),
    () => request('PUT', `/agents/${id}/deactivate`, { reason: 'unseen' }),
    () => request('PUT', `/agents/${id}/reactivate`),
    () => request('DELETE', `/agents/${id}`),
    // A merge may have moved the members of this team.
    () =>
      request('PUT', `/teams/${twin.known.besides?.[0]}/members/${twin.known.unseen?.[0]}`, {
        title: `T${seed}`,
      }),
    () => request('POST', '/agents', { firstName: 'Ana', lastName: 'Figueiredo', officeId: office }),
    () => request('POST', '/keys', { name: 'Another', scopes: ['offices:read'] }),
    () =>
      request('POST', '/agents/bulk', {
        filter: { officeId: [office] },
        change: { type: 'update', patch: { title: `T${seed}` } },
        expectedCount: 2,
      }),
  ];
  await (await disturbances[seed % disturbances.length]?.())?.arrayBuffer();
}

/** Waits until nothing is under way in the background: jobs are done, and every event has a position. */
export async function settle({ server }: Twin): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isBusy: boolean }>`
      select exists (select from event where position is null)
        or exists (select from job where finished_at is null) as "isBusy"`.execute(server.database.db);
    if (rows[0]?.isBusy !== true) return;
    await setTimeout(2);
  }
}

/** A service with a key that is limited to some of its offices. */
export interface LimitedTwin {
  twin: Twin;
  key: string;
}

/** Starts one of the two services: the visible part is the same, the hidden one depends on the seed. */
export async function startTwin(clock: Clock, seed: number): Promise<LimitedTwin> {
  clock.reset();
  const server = await startTestServer({ now: clock.now, webhooksMax: 10_000 });
  const twin = new Twin(server);
  const officeIds = await visible(twin, clock);
  await hidden(twin, seed);
  await adjacent(twin, clock, seed);
  const { secret, id } = await keyWith(server, scopes);
  await sql`update api_key set office_ids = ${officeIds}::uuid[] where id = ${id}`.execute(
    server.database.db,
  );
  twin.know('key', id);
  await settle(twin);
  return { twin, key: secret };
}
