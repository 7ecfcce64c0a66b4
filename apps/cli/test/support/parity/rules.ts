import { type ErrorCode, type ResourceName, resourceNames, type Scope } from '@roster/api';
import type { Input } from '../../../src/contract/options.ts';
import { knownFields } from './examples.ts';
import { UNKNOWN } from './faults.ts';
import type { IsolatedService, Made } from './service.ts';

/** A call that every interface makes, each to a service of its own, about a rule that no schema says. */
export interface ParityCase {
  procedure: string;
  title: string;
  /** The expected error code; success if undefined. */
  errorCode?: ErrorCode;
  /** The scopes of the caller's key; all by default. */
  scopes?: readonly Scope[];
  /** Creates the records that it needs, and returns the input of the call. */
  input: (service: IsolatedService) => Input | Promise<Input>;
}

type InputOf = ParityCase['input'];
type Expected = ErrorCode | undefined | Pick<ParityCase, 'errorCode' | 'scopes'>;

function rule(procedure: string, title: string, expected: Expected, input: InputOf): ParityCase {
  return { procedure, title, input, ...(typeof expected === 'string' ? { errorCode: expected } : expected) };
}

/** By a key with these scopes alone. */
const by = (...scopes: Scope[]): Expected => ({ errorCode: 'insufficient_scope', scopes });
const hidden = { errorCode: 'not_found', scopes: ['offices:read'] } as const;

const required: Record<ResourceName, Input> = {
  offices: { name: 'Atlântico' },
  agents: { firstName: 'Ana', lastName: 'Figueiredo' },
  teams: { name: 'Ribeira' },
};

/** Creates a record. */
function make(
  { request, unique }: IsolatedService,
  resource: ResourceName,
  fields: Input = {},
): Promise<Made> {
  const name = resource === 'agents' ? 'lastName' : 'name';
  return request('POST', `/${resource}`, { ...required[resource], [name]: `Number ${unique()}`, ...fields });
}

const remove = ({ request }: IsolatedService, resource: ResourceName, id: unknown) =>
  request('DELETE', `/${resource}/${id}`);
const change = ({ request }: IsolatedService, resource: ResourceName, id: string, fields: Input) =>
  request('PATCH', `/${resource}/${id}`, fields);
const deactivate = ({ request }: IsolatedService, id: unknown, fields: Input = {}) =>
  request('PUT', `/offices/${id}/deactivate`, fields);

/** Fields that a record may have, and what follows, after which another may not have them, and itself not again. */
interface Conflict {
  title: string;
  errorCode: ErrorCode;
  resources: readonly ResourceName[];
  fields: (service: IsolatedService) => Input | Promise<Input>;
  follow: (service: IsolatedService, resource: ResourceName, fields: Input) => Promise<unknown>;
}

const officeId = async (service: IsolatedService) => ({ officeId: (await make(service, 'offices')).id });

const conflicts: readonly Conflict[] = [
  {
    title: 'a source that another record has',
    errorCode: 'source_taken',
    resources: resourceNames,
    fields: ({ unique }) => ({ source: { name: 'MLS', key: `taken ${unique()}` } }),
    follow: make,
  },
  {
    title: 'an e-mail address that another agent has',
    errorCode: 'email_taken',
    resources: ['agents'],
    fields: ({ unique }) => ({ email: `taken-${unique()}@roster.example` }),
    follow: (service, resource, { email }) => make(service, resource, { email: String(email).toUpperCase() }),
  },
  {
    title: 'an inactive office',
    errorCode: 'office_inactive',
    resources: ['agents'],
    fields: officeId,
    follow: (service, _, fields) => deactivate(service, fields.officeId),
  },
  {
    title: 'a deleted office',
    errorCode: 'reference_not_found',
    resources: ['agents', 'teams'],
    fields: officeId,
    follow: (service, _, fields) => remove(service, 'offices', fields.officeId),
  },
  {
    title: 'a deleted main office',
    errorCode: 'reference_not_found',
    resources: ['offices'],
    fields: async (service) => ({ mainOfficeId: (await make(service, 'offices')).id }),
    follow: (service, _, fields) => remove(service, 'offices', fields.mainOfficeId),
  },
];

/** The cases of a conflict for every operation that may give a record its fields. */
function casesOf({ title, errorCode, fields, follow }: Conflict, resource: ResourceName): ParityCase[] {
  const of = (operation: string, input: (service: IsolatedService, given: Input) => Promise<Input>) =>
    rule(operation, title, errorCode, async (service) => input(service, await fields(service)));
  return [
    of(`${resource}.create`, async (service, given) => {
      await follow(service, resource, given);
      return { ...required[resource], ...given };
    }),
    of(`imports.${resource}`, async (service, given) => {
      await follow(service, resource, given);
      return { records: [{ ...required[resource], ...given }] };
    }),
    of(`${resource}.update`, async (service, given) => {
      await follow(service, resource, given);
      return { id: (await make(service, resource)).id, ...given };
    }),
    of(`${resource}.restore`, async (service, given) => {
      const { id } = await make(service, resource, given);
      await remove(service, resource, id);
      await follow(service, resource, given);
      return { id };
    }),
    of(`${resource}.revert`, async (service, given) => {
      const { id } = await make(service, resource, given);
      const cleared = Object.keys(given).map((name) => [name, null]);
      await change(service, resource, id, Object.fromEntries(cleared));
      await follow(service, resource, given);
      return { id, toVersion: 1 };
    }),
  ];
}

/** A record with three versions, of which the last is inactive. */
async function changed(service: IsolatedService, resource: ResourceName): Promise<string> {
  const { id } = await make(service, resource);
  const fields = { phone: '+351210000001', address: { city: 'Porto' }, metadata: { unit: '7' } };
  await change(service, resource, id, knownFields(resource, fields));
  await service.request('PUT', `/${resource}/${id}/deactivate`, { reason: 'Moved' });
  return id;
}

/** What all resources have. */
function recordCases(resource: ResourceName): ParityCase[] {
  const of = (operation: string, title: string, expected: Expected, input: InputOf) =>
    rule(`${resource}.${operation}`, title, expected, input);
  const none = { sourceKey: ['none'] };
  return [
    of(
      'list',
      'a page before another, of records without one field and with another',
      undefined,
      async (service) => {
        const empty = Object.keys(knownFields(resource, { email: null }));
        const notEmpty = Object.keys(knownFields(resource, { phone: null, mlsId: null, source: null }));
        const query = { ...(empty.length > 0 && { empty }), notEmpty, sort: 'updatedAt', limit: 1 };
        for (const phone of ['+351210000001', '+351210000002']) {
          const fields = { phone, mlsId: phone, source: { name: 'MLS', key: phone } };
          await make(service, resource, knownFields(resource, fields));
        }
        const parameters: [string, string][] = [
          ...empty.map((name): [string, string] => ['empty', name]),
          ...notEmpty.map((name): [string, string] => ['notEmpty', name]),
          ['sort', 'updatedAt'],
          ['limit', '1'],
        ];
        const text = new URLSearchParams(parameters);
        const { nextCursor } = await service.request('GET', `/${resource}?${text}`);
        const { prevCursor } = await service.request('GET', `/${resource}?${text}&cursor=${nextCursor}`);
        return { ...query, cursor: prevCursor };
      },
    ),
    of('list', 'a search with its highlights, by relevance', undefined, () => {
      const [name] = Object.values(required[resource]);
      return { q: String(name).slice(0, 3), sort: 'relevance', highlight: true, limit: 2 };
    }),
    of('list', 'relevance without a search', 'invalid_parameter', () => ({ sort: 'relevance' })),
    of('get', 'an id in upper case', undefined, async (service) => ({
      id: (await make(service, resource)).id.toUpperCase(),
    })),
    of('get', 'a deleted record', 'not_found', async (service) => {
      const { id } = await make(service, resource);
      await remove(service, resource, id);
      return { id };
    }),
    of('update', 'what was read, with a change', undefined, async (service) => ({
      ...(await make(service, resource)),
      metadata: { sent: 'back' },
    })),
    of(
      'update',
      'fields that only the service sets, with other values',
      'validation_failed',
      async (service) => ({
        ...(await make(service, resource)),
        version: 9,
        status: 'inactive',
      }),
    ),
    of('deactivate', 'more changes ahead than a record may have', 'limit_reached', async (service) => {
      const { id } = await make(service, resource);
      const at = (day: number) => ({ effectiveAt: `2026-04-${String(day).padStart(2, '0')}T00:00:00Z` });
      for (let day = 1; day <= 20; day += 1)
        await service.request('PUT', `/${resource}/${id}/deactivate`, at(day));
      return { id, ...at(21) };
    }),
    of('history', 'the next page', undefined, async (service) => {
      const id = await changed(service, resource);
      await service.logged();
      const { nextCursor } = await service.request('GET', `/${resource}/${id}/history?limit=2`);
      return { id, cursor: nextCursor, limit: 2 };
    }),
    of('history', 'the cursor of another record', 'cursor_mismatch', async (service) => {
      const [one, other] = [await changed(service, resource), await changed(service, resource)];
      await service.logged();
      const { nextCursor } = await service.request('GET', `/${resource}/${one}/history?limit=1`);
      return { id: other, cursor: nextCursor };
    }),
    of('revert', 'one change, without what has changed since', undefined, async (service) => ({
      id: await changed(service, resource),
      toVersion: 1,
      keepChangesAfter: 2,
    })),
    of('merge', 'a record with itself', 'validation_failed', async (service) => {
      const { id } = await make(service, resource);
      return { id, duplicateId: id };
    }),
    of('bulk', 'another number', 'count_mismatch', () => ({
      filter: none,
      change: { type: 'deactivate' },
      expectedCount: 3,
    })),
  ];
}

const officeCases: ParityCase[] = [
  rule('offices.get', 'counts for a key that may not read agents', by('offices:read'), async (service) => ({
    id: (await make(service, 'offices')).id,
    expand: 'counts',
  })),
  rule('offices.delete', 'an office with an agent and a branch', 'has_dependents', async (service) => {
    const { id } = await make(service, 'offices');
    await make(service, 'offices', { mainOfficeId: id });
    await make(service, 'agents', { officeId: id });
    return { id };
  }),
  rule('offices.update', 'a main office that is its branch', 'office_cycle', async (service) => {
    const { id } = await make(service, 'offices');
    return { id, mainOfficeId: (await make(service, 'offices', { mainOfficeId: id })).id };
  }),
  rule('offices.deactivate', 'an office with its agents', undefined, async (service) => {
    const { id } = await make(service, 'offices');
    await make(service, 'agents', { officeId: id });
    await make(service, 'agents', { affiliations: [{ officeId: id }] });
    return { id, cascade: true };
  }),
  ...['offices.previewReactivate', 'offices.reactivate'].map((procedure) =>
    rule(
      procedure,
      'an office with its agents, of whom one was changed since',
      undefined,
      async (service) => {
        const { id } = await make(service, 'offices');
        const [, agent] = [
          await make(service, 'agents', { officeId: id }),
          await make(service, 'agents', { officeId: id }),
        ];
        await deactivate(service, id, { cascade: true });
        await change(service, 'agents', agent.id, { title: 'Broker' });
        return { id, ...(procedure === 'offices.reactivate' && { cascade: true }) };
      },
    ),
  ),
  rule(
    'offices.merge',
    'an office with an active agent into an inactive one',
    'office_inactive',
    async (service) => {
      const [{ id }, duplicate] = [await make(service, 'offices'), await make(service, 'offices')];
      await make(service, 'agents', { officeId: duplicate.id });
      await deactivate(service, id);
      return { id, duplicateId: duplicate.id };
    },
  ),
  rule('offices.merge', 'an office into one that is two steps below it', 'office_cycle', async (service) => {
    const duplicate = await make(service, 'offices');
    const between = await make(service, 'offices', { mainOfficeId: duplicate.id });
    return {
      id: (await make(service, 'offices', { mainOfficeId: between.id })).id,
      duplicateId: duplicate.id,
    };
  }),
  rule('offices.revert', 'to a main office that is now its branch', 'office_cycle', async (service) => {
    const main = await make(service, 'offices');
    const { id } = await make(service, 'offices', { mainOfficeId: main.id });
    await change(service, 'offices', id, { mainOfficeId: null });
    await change(service, 'offices', main.id, { mainOfficeId: id });
    return { id, toVersion: 1 };
  }),
  rule('imports.offices', 'offices that are branches of each other', 'office_cycle', ({ unique }) => {
    const [one, other] = [unique(), unique()].map((number) => ({ name: 'MLS', key: `cycle ${number}` }));
    return {
      records: [
        { name: 'One', source: one, mainOfficeSource: other },
        { name: 'Other', source: other, mainOfficeSource: one },
      ],
    };
  }),
  ...(['offices.transferAgents', 'agents.transfer'] as const).flatMap((procedure) => {
    const [resource, target] =
      procedure === 'agents.transfer'
        ? (['agents', 'officeId'] as const)
        : (['offices', 'toOfficeId'] as const);
    return [
      rule(procedure, 'an unknown office', 'reference_not_found', async (service) => ({
        id: (await make(service, resource)).id,
        [target]: UNKNOWN,
      })),
      rule(procedure, 'an inactive office', 'office_inactive', async (service) => {
        const { id } = await make(service, 'offices');
        await deactivate(service, id);
        return { id: (await make(service, resource)).id, [target]: id };
      }),
    ];
  }),
];

const agentCases: ParityCase[] = [
  rule('agents.list', 'the agents whose primary office it is', undefined, async (service) => {
    const { id } = await make(service, 'offices');
    await make(service, 'agents', { officeId: id });
    await make(service, 'agents', { affiliations: [{ officeId: id }] });
    return { officeId: [id], affiliation: 'primary', expand: 'office' };
  }),
  rule('agents.delete', 'an agent who is a broker', 'has_dependents', async (service) => {
    const { id } = await make(service, 'agents');
    await make(service, 'offices', { brokerAgentId: id });
    return { id };
  }),
  rule('agents.reactivate', 'an agent of an inactive office', 'office_inactive', async (service) => {
    const { id: officeId } = await make(service, 'offices');
    const { id } = await make(service, 'agents', { officeId });
    await deactivate(service, officeId, { cascade: true });
    return { id };
  }),
  rule(
    'agents.merge',
    'an agent of an inactive office into an active one without',
    'office_inactive',
    async (service) => {
      const { id: officeId } = await make(service, 'offices');
      const [{ id }, duplicate] = [
        await make(service, 'agents'),
        await make(service, 'agents', { officeId }),
      ];
      await deactivate(service, officeId);
      return { id, duplicateId: duplicate.id };
    },
  ),
];

/** A team with a lead, and another agent. */
async function aTeam(service: IsolatedService) {
  const [lead, other] = [await make(service, 'agents'), await make(service, 'agents')];
  const { id } = await make(service, 'teams', { members: [{ agentId: lead.id, role: 'lead' }] });
  return { id, lead: lead.id, other: other.id };
}

const teamCases: ParityCase[] = [
  rule('teams.get', 'agents for a key that may not read them', by('teams:read'), async (service) => ({
    id: (await aTeam(service)).id,
    expand: 'members',
  })),
  rule('teams.create', 'two leads', 'validation_failed', async (service) => {
    const { lead, other } = await aTeam(service);
    return { name: 'Ribeira', members: [lead, other].map((agentId) => ({ agentId, role: 'lead' })) };
  }),
  rule('teams.putMember', 'an unknown agent', 'reference_not_found', async (service) => ({
    id: (await aTeam(service)).id,
    agentId: UNKNOWN,
  })),
];

/** A file of offices whose check has ended. */
async function anImport({ request, unique }: IsolatedService, row?: string): Promise<Input> {
  const { id } = await request(
    'POST',
    '/imports/offices/file',
    `name,type\n${row ?? `Office ${unique()},`}\n`,
  );
  while ((await request('GET', `/imports/${id}`)).finishedAt === null);
  return { id };
}

const onlyAgents = by('agents:read', 'agents:write');
const jobs = ['list', 'get', 'rows', 'errors', 'write', 'resume', 'cancel', 'undo'] as const;

const importCases: ParityCase[] = [
  rule('imports.preview', 'an empty file', 'validation_failed', () => ({ beginning: '' })),
  rule('imports.upload', 'an unknown column', 'validation_failed', () => ({
    resource: 'offices',
    content: 'nme\nx\n',
  })),
  rule('imports.upload', 'a file of a resource that the key may not change', onlyAgents, () => ({
    resource: 'offices',
    content: 'name\nBaixa\n',
  })),
  ...jobs
    .slice(1, 4)
    .map((name) =>
      rule(`imports.${name}`, 'an import of a resource that the key may not read', onlyAgents, (service) =>
        anImport(service),
      ),
    ),
  rule('imports.list', 'imports of a resource that the key may not read', onlyAgents, () => ({
    resource: ['offices'],
  })),
  rule('imports.rows', 'what is new and what was rejected', undefined, (service) =>
    anImport(service, 'Known,\n,\n'),
  ),
  rule('imports.errors', 'a row that was rejected', undefined, (service) => anImport(service, ',main')),
  rule('imports.errorGroups', 'a row that was rejected', undefined, (service) => anImport(service, ',main')),
  rule('imports.corrections', 'an import without corrections', undefined, (service) => anImport(service)),
  ...['imports.errorGroups', 'imports.corrections'].map((name) =>
    rule(name, 'an import of a resource that the key may not read', onlyAgents, (service) =>
      anImport(service),
    ),
  ),
  rule('imports.correct', 'a text that no row has', 'validation_failed', async (service) => ({
    ...(await anImport(service)),
    corrections: [{ column: 'name', value: 'Nobody', text: 'Somebody' }],
  })),
  rule('imports.correct', 'an import that is written', 'import_written', async (service) => {
    const { id } = await anImport(service);
    await service.request('PUT', `/imports/${id}/write`, {});
    while ((await service.request('GET', `/imports/${id}`)).finishedAt === null);
    return { id, corrections: [{ column: 'name', value: 'x', text: 'y' }] };
  }),
  rule('imports.correct', 'an import that was undone', 'import_undone', async (service) => {
    const { id } = await anImport(service);
    await service.request('PUT', `/imports/${id}/undo`, {});
    return { id, corrections: [{ column: 'name', value: 'x', text: 'y' }] };
  }),
  rule('imports.write', 'a row with errors', 'import_not_accepted', (service) => anImport(service, ',main')),
  ...['imports.write', 'imports.resume'].map((procedure) =>
    rule(procedure, 'an import that was undone', 'import_undone', async (service) => {
      const { id } = await anImport(service);
      await service.request('PUT', `/imports/${id}/undo`, {});
      return { id };
    }),
  ),
];

const FAR = '999999999999';
const unreachable = { url: 'http://127.0.0.1:9/hook', types: ['office.purged'] };

const eventCases: ParityCase[] = [
  rule('events.list', 'the history of a record', undefined, async (service) => ({
    subject: await changed(service, 'offices'),
    limit: 2,
  })),
  rule('events.list', 'a cursor beyond the end of the log', 'cursor_expired', () => ({ after: FAR })),
  rule('webhooks.create', 'a cursor beyond the end of the log', 'cursor_expired', () => ({
    ...unreachable,
    after: FAR,
  })),
  rule('webhooks.create', 'an unknown office', 'reference_not_found', () => ({
    ...unreachable,
    officeIds: [UNKNOWN],
  })),
  ...['update', 'replay'].map((operation) =>
    rule(
      `webhooks.${operation}`,
      'what it cannot have',
      operation === 'update' ? 'reference_not_found' : 'cursor_expired',
      async ({ request }) => ({
        id: (await request('POST', '/webhooks', unreachable)).id,
        ...(operation === 'update' ? { officeIds: [UNKNOWN] } : { after: FAR }),
      }),
    ),
  ),
];

const viewer = { grants: [{ role: 'viewer' }] };

/** Invites a person. */
function aPerson(
  { request, unique }: IsolatedService,
  email = `person-${unique()}@roster.example`,
): Promise<Made> {
  return request('POST', '/people', { name: 'Ana', email, ...viewer });
}

const idOfPerson = async (service: IsolatedService) => ({ id: (await aPerson(service)).id });
const idOfSession = async (service: IsolatedService) => ({
  id: await service.session((await aPerson(service)).id),
});
const idOfPasskey = async (service: IsolatedService) => ({
  id: await service.passkey((await aPerson(service)).id),
});
const personId = async (service: IsolatedService) => ({ personId: (await aPerson(service)).id });
const idOfInvitation = async (service: IsolatedService) => ({
  id: (await service.request('POST', '/invitations', await personId(service))).id,
});
const idOfKey = async ({ request }: IsolatedService) => ({
  id: (await request('POST', '/keys', { name: 'A key', scopes: ['offices:read'] })).id,
});
const idOfView = async ({ request, unique }: IsolatedService) => ({
  id: (await request('POST', '/views', { name: `View ${unique()}`, resource: 'agents', isShared: true })).id,
});
/** With more fields beside those of what was made. */
const and =
  (input: (service: IsolatedService) => Promise<Input>, more: Input): InputOf =>
  async (service) => ({ ...(await input(service)), ...more });

const renamed = (procedure: string): Input => (procedure === 'views.update' ? { name: 'x' } : {});

/** A key with fewer scopes than the person has roles. */
const weaker = by('people:manage');
const elsewhere = [{ role: 'viewer', officeIds: [UNKNOWN] }];

const accessCases: ParityCase[] = [
  rule('keys.create', 'an unknown office', 'reference_not_found', () => ({
    name: 'x',
    scopes: ['offices:read'],
    officeIds: [UNKNOWN],
  })),
  rule('keys.update', 'an unknown office', 'reference_not_found', and(idOfKey, { officeIds: [UNKNOWN] })),
  rule('keys.create', 'scopes that the caller lacks', by('keys:manage'), () => ({
    name: 'x',
    scopes: ['offices:write'],
  })),
  rule(
    'keys.update',
    'scopes that the caller lacks',
    by('keys:manage'),
    and(idOfKey, { scopes: ['offices:write'] }),
  ),
  rule('keys.rotate', 'a revoked key', 'key_revoked', async (service) => {
    const { id } = await idOfKey(service);
    await service.request('PUT', `/keys/${id}/revoke`);
    return { id };
  }),
  rule(
    'people.invite',
    'an e-mail address that another person has',
    'person_email_taken',
    async (service) => ({
      name: 'x',
      email: String((await aPerson(service)).email).toUpperCase(),
      ...viewer,
    }),
  ),
  rule(
    'people.update',
    'an e-mail address that another person has',
    'person_email_taken',
    async (service) => ({
      ...(await idOfPerson(service)),
      email: (await aPerson(service)).email,
    }),
  ),
  rule('people.invite', 'an unknown office', 'reference_not_found', () => ({
    name: 'x',
    email: 'office@roster.example',
    grants: elsewhere,
  })),
  rule('people.update', 'an unknown office', 'reference_not_found', and(idOfPerson, { grants: elsewhere })),
  rule('people.invite', 'a role that the caller lacks', weaker, () => ({
    name: 'x',
    email: 'x@roster.example',
    ...viewer,
  })),
  rule('people.update', 'a person with more rights', weaker, and(idOfPerson, { name: 'x' })),
  rule('people.delete', 'a person with more rights', weaker, idOfPerson),
  rule('people.revokeSessions', 'another person', by('agents:read'), idOfPerson),
  rule('people.reactivate', 'an inactive person', undefined, async (service) => {
    const { id } = await idOfPerson(service);
    await service.request('PUT', `/people/${id}/deactivate`);
    return { id };
  }),
  rule('invitations.create', 'an inactive person', 'link_unavailable', async (service) => {
    const { id } = await idOfPerson(service);
    await service.request('PUT', `/people/${id}/deactivate`);
    return { personId: id };
  }),
  rule('invitations.create', 'a person with more rights', weaker, personId),
  rule('invitations.revoke', 'a person with more rights', weaker, idOfInvitation),
  rule('sessions.list', 'those of a person', by('agents:read'), personId),
  rule('sessions.list', 'the session of a person', undefined, async (service) => {
    const { id } = await aPerson(service);
    await service.session(id);
    return { personId: id };
  }),
  rule('sessions.get', 'one of someone else', hidden, idOfSession),
  rule('sessions.revoke', 'one of someone else', hidden, idOfSession),
  rule('sessions.revoke', 'one of a person with more rights', weaker, idOfSession),
  rule('passkeys.list', 'those of a person', by('agents:read'), personId),
  rule('passkeys.update', 'one of a person with more rights', weaker, and(idOfPasskey, { name: 'x' })),
  rule('passkeys.delete', 'one of a person with more rights', weaker, idOfPasskey),
  rule('views.list', 'those of a list that the key may not read', by('offices:read'), () => ({
    resource: ['agents'],
  })),
  rule('views.create', 'a list that the key may not read', by('offices:read'), () => ({
    name: 'x',
    resource: 'agents',
  })),
  ...['views.get', 'views.update', 'views.delete'].map((procedure) =>
    rule(procedure, 'a view of a list that the key may not read', hidden, and(idOfView, renamed(procedure))),
  ),
  ...['views.update', 'views.delete'].map((procedure) =>
    rule(procedure, 'a shared view of another', by('agents:read'), and(idOfView, renamed(procedure))),
  ),
  rule('views.create', 'parameters that the list rejects', 'validation_failed', () => ({
    name: 'x',
    resource: 'offices',
    query: { officeId: 'x', status: 'gone' },
  })),
  rule('stats.get', 'a key that may not read offices', by('agents:read'), () => ({})),
];

/** What no schema and no example says: rules between records, rights on them, and pages that continue others. */
export const rules: readonly ParityCase[] = [
  ...conflicts.flatMap((conflict) => conflict.resources.flatMap((resource) => casesOf(conflict, resource))),
  ...resourceNames.flatMap(recordCases),
  ...[officeCases, agentCases, teamCases, importCases, eventCases, accessCases].flat(),
];
