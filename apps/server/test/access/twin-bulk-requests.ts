import fc from 'fast-check';
import type { SymbolicRequest } from './twin.ts';
import { FIRST_NAMES, LAST_NAMES } from './twin-scene.ts';

/** Requests of a limited caller about many records, and about what happens later. */

const nth = fc.nat({ max: 30 });
const idOf = (kind: 'agent' | 'office') =>
  fc.oneof(
    { weight: 4, arbitrary: nth.map((n) => `{${kind}:${n}}`) },
    { weight: 1, arbitrary: fc.nat({ max: 5 }).map((n) => `{hidden:${n}}`) },
  );
const agent = idOf('agent');
const office = idOf('office');
const name = fc.constantFrom(...LAST_NAMES);

const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
  fc.constant({}),
  fc.constantFrom('three', 'four', 'five').map((key) => ({ 'Idempotency-Key': key })),
);
const send = (
  method: string,
  path: fc.Arbitrary<string> | string,
  body: fc.Arbitrary<unknown>,
): fc.Arbitrary<SymbolicRequest> =>
  fc.record({
    method: fc.constant(method),
    path: typeof path === 'string' ? fc.constant(path) : path,
    body,
    headers,
  });

/** Sources that no hidden record has: that one is taken cannot be hidden. */
const source = fc.constantFrom('1', '2', '3').map((key) => ({ name: 'crm', key }));
/** An office that only one of the services has. */
const unseen = { name: 'unseen', key: '1' };

const importOf = (path: string, record: fc.Arbitrary<object>) =>
  send(
    'POST',
    path,
    fc.record({
      mode: fc.constantFrom('create', 'upsert', 'match'),
      dryRun: fc.boolean(),
      isAtomic: fc.boolean(),
      records: fc.array(record, { minLength: 1, maxLength: 3 }),
    }),
  );

const importedAgent = fc
  .tuple(
    fc.record(
      {
        firstName: fc.constantFrom(...FIRST_NAMES),
        lastName: name,
        source,
        email: nth.map((n) => `visible${n}@seen.example`),
        assistantToAgentId: agent,
        affiliations: office.map((officeId) => [{ officeId }]),
      },
      { requiredKeys: ['firstName', 'lastName'] },
    ),
    fc.oneof(
      office.map((officeId) => ({ officeId })),
      fc.constantFrom(
        { officeId: null },
        { officeSource: unseen },
        { officeSource: { name: 'crm', key: '1' } },
        // A visible and a hidden office have the first name; only hidden ones have the others.
        ...['Reis', 'Baixa 1', 'Baixa 2'].map((officeName) => ({ officeName })),
        {},
      ),
    ),
  )
  .map(([record, named]) => ({ ...record, ...named }));

const importedOffice = fc
  .tuple(
    fc.record(
      { name, source, email: fc.constant('visible@seen.example'), brokerAgentId: agent },
      { requiredKeys: ['name'] },
    ),
    fc.oneof(
      office.map((mainOfficeId) => ({ mainOfficeId })),
      fc.constantFrom({ mainOfficeId: null }, { mainOfficeSource: unseen }, { mainOfficeSourceKey: '2' }, {}),
    ),
  )
  .map(([record, named]) => ({ ...record, ...named }));

const bulkOf = (resource: 'agents' | 'offices', change: fc.Arbitrary<object>, filter: fc.Arbitrary<object>) =>
  send(
    'POST',
    `/${resource}/bulk`,
    fc.oneof(
      fc.record({ filter, change, dryRun: fc.constant(true) }),
      fc.record({ filter, change, expectedCount: fc.nat({ max: 5 }) }),
    ),
  );

const updateOf = (patch: fc.Arbitrary<object>) => patch.map((given) => ({ type: 'update', patch: given }));

const agentChange = fc.oneof(
  office.map((officeId) => ({ type: 'transfer', officeId })),
  updateOf(office.map((officeId) => ({ officeId }))),
  updateOf(agent.map((assistantToAgentId) => ({ assistantToAgentId }))),
  updateOf(office.map((officeId) => ({ affiliations: [{ officeId }] }))),
  fc.constantFrom({ type: 'delete' }, { type: 'update', patch: { officeId: null } }),
);
const agentFilter = fc.oneof(
  office.map((id) => ({ officeId: [id] })),
  fc.array(agent, { minLength: 1, maxLength: 3 }).map((ids) => ({ ids })),
);
const officeChange = fc.oneof(
  updateOf(office.map((mainOfficeId) => ({ mainOfficeId }))),
  updateOf(agent.map((brokerAgentId) => ({ brokerAgentId }))),
  fc.constantFrom({ type: 'update', patch: { mainOfficeId: null } }, { type: 'update', patch: { bio: 'x' } }),
);
const officeFilter = fc.oneof(
  fc.constant({ all: true }),
  office.map((id) => ({ mainOfficeId: [id] })),
  office.map((id) => ({ ids: [id] })),
);

/** Later than the clock of the services ever is, or a day that begins at another time in each time zone. */
const time = fc.constantFrom(
  { effectiveAt: '2101-01-01T00:00:00Z' },
  { effectiveOn: '2021-03-02' },
  { effectiveOn: '2031-03-01' },
);
const later = (resource: string, id: fc.Arbitrary<string>, verb: string, more: fc.Arbitrary<object>) =>
  fc.record({
    method: fc.constant('PUT'),
    path: id.map((one) => `/${resource}/${one}/${verb}`),
    body: fc.tuple(time, more).map(([when, given]) => ({ ...when, ...given })),
  });

const plain = (method: string, path: (n: number) => string) =>
  nth.map((n): SymbolicRequest => ({ method, path: path(n) }));

export const bulkRequest: fc.Arbitrary<SymbolicRequest> = fc.oneof(
  importOf('/imports/agents', importedAgent),
  importOf('/imports/offices', importedOffice),
  bulkOf('agents', agentChange, agentFilter),
  bulkOf('offices', officeChange, officeFilter),
  plain('GET', (n) => `/jobs/{job:${n}}/errors`),
  plain('PUT', (n) => `/jobs/{job:${n}}/cancel`),
  plain('PUT', (n) => `/jobs/{job:${n}}/undo`),
  later(
    'agents',
    agent,
    'transfer',
    office.map((officeId) => ({ officeId })),
  ),
  later(
    'offices',
    office,
    'transfer-agents',
    office.map((toOfficeId) => ({ toOfficeId })),
  ),
  later('offices', office, 'reactivate', fc.constant({})),
  plain('GET', (n) => `/scheduled-changes/{change:${n}}`),
  agent.map((id) => ({ method: 'GET', path: `/scheduled-changes?subject=${id}` })),
  plain('GET', (n) => `/webhooks/{webhook:${n}}`),
  plain('GET', (n) => `/webhooks/{webhook:${n}}/deliveries`),
  plain('DELETE', (n) => `/webhooks/{webhook:${n}}`),
  send(
    'PATCH',
    nth.map((n) => `/webhooks/{webhook:${n}}`),
    office.map((id) => ({ officeIds: [id] })),
  ),
);
