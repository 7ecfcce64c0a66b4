import fc from 'fast-check';
import type { SymbolicRequest } from './twin.ts';
import { bulkRequest } from './twin-bulk-requests.ts';
import { recordRequest } from './twin-record-requests.ts';
import { FIRST_NAMES, LAST_NAMES } from './twin-scene.ts';

/** Requests of a limited caller, which name records that are visible, hidden, or nowhere. */

const nth = fc.nat({ max: 30 });
/** Both services have so many hidden records. */
const ofBoth = fc.nat({ max: 5 });
const agent = fc.oneof(
  { weight: 4, arbitrary: nth.map((n) => `{agent:${n}}`) },
  { weight: 1, arbitrary: ofBoth.map((n) => `{hidden:${n}}`) },
);
const office = fc.oneof(
  { weight: 4, arbitrary: nth.map((n) => `{office:${n}}`) },
  { weight: 1, arbitrary: ofBoth.map((n) => `{hidden:${n}}`) },
);
const searched = fc.constantFrom(
  'figueiredo',
  'figueredo',
  'sousax',
  'figueiras',
  'ana',
  'sorensen',
  'reis lisboa',
  'baixa',
  'hidden',
  'an',
  'ana sousa',
);
const name = fc.constantFrom(...LAST_NAMES);

/** Parameters of a list, some of them. */
function queryOf(own: Record<string, fc.Arbitrary<string>>): fc.Arbitrary<string> {
  const all: Record<string, fc.Arbitrary<string>> = {
    limit: fc.constantFrom('1', '2', '5', '100'),
    includeTotal: fc.constant('true'),
    status: fc.constantFrom('active', 'inactive'),
    city: fc.constantFrom('LISBOA', 'porto'),
    region: fc.constantFrom('LX', 'PO'),
    q: searched.map(encodeURIComponent),
    highlight: fc.constant('true'),
    licenseExpiresBefore: fc.constantFrom('2021-04-30', '2022-01-01'),
    licenseNumber: fc.constantFrom('S1', 'S3'),
    createdSince: fc.constant('2021-03-01T08:00:05.000Z'),
    ids: agent,
    cursor: fc.constant('{cursor}'),
    ...own,
  };
  const present = fc.record(all, { requiredKeys: [] });
  return present.map((given) =>
    Object.entries(given)
      .map(([key, value]) => `${key}=${value}`)
      .join('&'),
  );
}

const sparse = (query: fc.Arbitrary<string>) =>
  fc.tuple(query, fc.nat({ max: 3 })).map(([text, count]) => text.split('&').slice(0, count).join('&'));

const agentQuery = queryOf({
  sort: fc.constantFrom(
    ...['lastName', '-firstName', '-createdAt', 'createdAt', 'nextLicenseExpiresOn', 'city', '-city'],
  ),
  officeId: office,
  affiliation: fc.constantFrom('primary', 'any'),
  email: fc.constantFrom('visible1@seen.example', 'hidden1x1@unseen.example', 'hidden2x1@unseen.example'),
  expand: fc.constant('office'),
  startAt: fc.constant('Reis'),
  empty: fc.constantFrom('officeId', 'phone'),
});
const officeQuery = queryOf({
  sort: fc.constantFrom('name', '-createdAt'),
  mainOfficeId: office,
  expand: fc.constant('counts'),
  empty: fc.constant('mainOfficeId'),
});

const get = (path: fc.Arbitrary<string>): fc.Arbitrary<SymbolicRequest> =>
  path.map((text) => ({ method: 'GET', path: text }));
const send = (
  method: string,
  path: fc.Arbitrary<string>,
  body: fc.Arbitrary<unknown>,
): fc.Arbitrary<SymbolicRequest> => fc.record({ method: fc.constant(method), path, body });

const at = (path: string, id: fc.Arbitrary<string>, suffix = '') =>
  id.map((one) => `/${path}/${one}${suffix}`);

const reads: fc.Arbitrary<SymbolicRequest>[] = [
  get(sparse(agentQuery).map((query) => `/agents?${query}`)),
  get(agentQuery.map((query) => `/agents?${query}`)),
  get(sparse(officeQuery).map((query) => `/offices?${query}`)),
  get(
    searched.map((q) => `/agents?q=${encodeURIComponent(q)}&sort=relevance&highlight=true&includeTotal=true`),
  ),
  get(
    fc.constantFrom(
      '/agents?limit=3',
      '/agents?limit=3&cursor={cursor}',
      '/agents?officeId={office:2}&includeTotal=true',
    ),
  ),
  get(
    fc.constantFrom('/agents?sort=lastName&startAt=Reis&limit=3', '/offices?expand=counts&includeTotal=true'),
  ),
  get(at('agents', agent)),
  get(at('offices', office)),
  fc.record({
    method: fc.constant('GET'),
    path: at('agents', agent),
    headers: fc.record({ 'If-None-Match': fc.constantFrom('"1"', '"2"', '*') }),
  }),
  get(at('agents', agent, '/history')),
  get(at('offices', office, '/history')),
  get(fc.constant('/stats')),
  get(nth.map((n) => `/events?after={position:${n}}&limit=20`)),
  get(agent.map((id) => `/events?subject=${id}`)),
  get(fc.constant('/events?types=agent.updated&types=agent.transferred')),
  get(fc.constant('/jobs')),
  get(nth.map((n) => `/jobs/{job:${n}}`)),
  get(fc.constant('/scheduled-changes')),
  get(fc.constant('/webhooks')),
];

const calls = fc.constantFrom('agents.get', 'offices.get', 'agents.history');
const rpc: fc.Arbitrary<SymbolicRequest>[] = [
  get(
    fc
      .tuple(calls, agent)
      .map(
        ([procedure, id]) =>
          `/trpc/${procedure}?input=${encodeURIComponent('{"id":"ID"}').replace('ID', id)}`,
      ),
  ),
  get(
    fc.array(agent, { minLength: 1, maxLength: 4 }).map((ids) => {
      const inputs = ids.map((_, index) => `%22${index}%22%3A%7B%22id%22%3A%22ID${index}%22%7D`).join('%2C');
      const path = `/trpc/${ids.map(() => 'agents.get').join(',')}?batch=1&input=%7B${inputs}%7D`;
      return ids.reduce((text, id, index) => text.replace(`ID${index}`, id), path);
    }),
  ),
];

const reason = fc.record({ reason: fc.constant('because') }, { requiredKeys: [] });
const later = fc.constant({ effectiveAt: '2029-06-01T00:00:00Z' });
/** An address that no hidden record has: that one is taken cannot be hidden. */
const email = fc.nat({ max: 1_000_000 }).map((n) => `new${n}@seen.example`);

const changes: fc.Arbitrary<SymbolicRequest>[] = [
  send(
    'POST',
    fc.constant('/agents'),
    fc.record(
      {
        firstName: fc.constantFrom(...FIRST_NAMES),
        lastName: name,
        officeId: office,
        email,
        assistantToAgentId: agent,
      },
      { requiredKeys: ['firstName', 'lastName'] },
    ),
  ),
  send(
    'POST',
    fc.constant('/offices'),
    fc.record({ name, mainOfficeId: office }, { requiredKeys: ['name'] }),
  ),
  send(
    'PATCH',
    at('agents', agent),
    fc.record(
      {
        lastName: name,
        officeId: fc.option(office),
        title: fc.constantFrom('Broker', null),
        affiliations: office.map((officeId) => [{ officeId }]),
      },
      { requiredKeys: [] },
    ),
  ),
  send(
    'PATCH',
    at('offices', office),
    fc.record({ bio: name, mainOfficeId: fc.option(office), brokerAgentId: agent }, { requiredKeys: [] }),
  ),
  send('PUT', at('agents', agent, '/deactivate'), fc.oneof(reason, later)),
  send('PUT', at('agents', agent, '/reactivate'), reason),
  send(
    'PUT',
    at('agents', agent, '/transfer'),
    office.map((officeId) => ({ officeId })),
  ),
  send(
    'PUT',
    at('agents', agent, '/transfer'),
    office.map((officeId) => ({ officeId, effectiveAt: '2029-06-01T00:00:00Z' })),
  ),
  send('PUT', at('agents', agent, '/restore'), fc.constant({})),
  send(
    'PUT',
    at('agents', agent, '/revert'),
    fc.record({ toVersion: fc.constantFrom(1, 2), dryRun: fc.boolean() }),
  ),
  send('PUT', at('offices', office, '/reactivate'), reason),
  send(
    'PUT',
    at('offices', office, '/transfer-agents'),
    office.map((toOfficeId) => ({ toOfficeId })),
  ),
  agent.map((id) => ({ method: 'DELETE', path: `/agents/${id}` })),
  send(
    'POST',
    fc.constant('/agents/bulk'),
    fc.record({
      filter: fc.oneof(
        fc.record({ q: searched }),
        fc.constant({ all: true }),
        office.map((id) => ({ officeId: [id] })),
      ),
      change: fc.constantFrom({ type: 'update', patch: { title: 'Consultant' } }, { type: 'deactivate' }),
      dryRun: fc.constant(true),
    }),
  ),
  send(
    'POST',
    fc.constant('/agents/bulk'),
    fc.record({
      filter: fc.oneof(fc.record({ q: searched }), fc.constant({ all: true })),
      change: fc.constantFrom({ type: 'update', patch: { title: 'Consultant' } }, { type: 'reactivate' }),
      expectedCount: fc.nat({ max: 6 }),
    }),
  ),
  send(
    'POST',
    fc.constant('/imports/agents'),
    fc.record({
      mode: fc.constantFrom('create', 'upsert', 'match'),
      dryRun: fc.boolean(),
      isAtomic: fc.boolean(),
      records: fc.array(
        fc.record({
          firstName: fc.constantFrom(...FIRST_NAMES),
          lastName: name,
          officeId: office,
          email,
          source: fc.constantFrom(...['1', '2', '3'].map((key) => ({ name: 'crm', key }))),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  ),
  send(
    'POST',
    fc.constant('/agents/bulk'),
    agent.map((id) => ({ filter: { ids: [id] }, change: { type: 'deactivate' }, expectedCount: 1 })),
  ),
  send(
    'PUT',
    nth.map((n) => `/jobs/{job:${n}}/undo`),
    fc.constant({}),
  ),
  nth.map((n) => ({ method: 'DELETE', path: `/scheduled-changes/{change:${n}}` })),
  send(
    'POST',
    fc.constant('/webhooks'),
    fc.record(
      {
        url: fc.constant('https://example.com/hook'),
        types: fc.constant(['office.purged']),
        officeIds: fc.option(office.map((id) => [id])),
      },
      { requiredKeys: ['url', 'types'] },
    ),
  ),
  fc.record({
    method: fc.constant('POST'),
    path: fc.constant('/agents'),
    headers: fc.record({ 'Idempotency-Key': fc.constantFrom('"one"', '"two"') }),
    body: fc.record({
      firstName: fc.constant('Ana'),
      lastName: fc.constant('Reis'),
      officeId: fc.constant('{office:1}'),
    }),
  }),
];

/** Searches, which look at words of many records. */
const searches = searched.map(
  (q): SymbolicRequest => ({ method: 'GET', path: `/agents?q=${encodeURIComponent(q)}&includeTotal=true` }),
);

/** One request of a limited caller. */
export const anyRequest: fc.Arbitrary<SymbolicRequest> = fc.oneof(
  { weight: 1, arbitrary: searches },
  { weight: 5, arbitrary: fc.oneof(...reads) },
  { weight: 1, arbitrary: fc.oneof(...rpc) },
  { weight: 4, arbitrary: fc.oneof(...changes) },
  { weight: 3, arbitrary: bulkRequest },
  { weight: 5, arbitrary: recordRequest },
);
