import { setTimeout } from 'node:timers/promises';
import { type Operation, type ResourceName, resourceNames } from '@roster/api';
import { records } from '@roster/contract/records';
import { exampleOf } from '@roster/server/testing/examples';
import type { Input } from '../../../src/contract/options.ts';
import type { IsolatedService } from './service.ts';

/** The fields that a new record must have. */
const requiredOf = (resource: ResourceName) =>
  resource === 'agents' ? { firstName: 'Ana', lastName: 'Reis' } : { name: 'Atlântico' };

/** Those of some fields that the records of a resource have. */
export function knownFields(resource: ResourceName, fields: Input): Input {
  const names = new Set(records[resource].fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => names.has(name)));
}

/** The values at which `meta.example` cannot be tried more than once, or not without the internet. */
const replaced: Readonly<Record<string, (service: IsolatedService) => Input | Promise<Input>>> = {
  'webhooks.create': () => ({ url: 'http://127.0.0.1:9/hook', types: ['office.purged'] }),
  'people.invite': ({ unique }) => ({ email: `ana-${unique()}@atlantico.example` }),
  // `roster people invite` makes a link too, so that the list of all has more of them.
  'invitations.list': async (service) => {
    const personId = await aPerson(service);
    await service.request('POST', '/invitations', { personId });
    return { personId };
  },
  // When all pairs are found depends on timing.
  ...Object.fromEntries(
    resourceNames.map((name) => [
      `${name}.duplicates`,
      async (service: IsolatedService) => ({ recordId: await aDuplicate(name, service) }),
    ]),
  ),
  // Their version is only compared if there is something to change.
  ...Object.fromEntries(resourceNames.map((name) => [`${name}.reactivate`, inactive(name)])),
  'imports.correct': async ({ request }) => {
    const { id } = await request('POST', '/imports/offices/file', 'name\nBaixo\n');
    while ((await request('GET', `/imports/${id}`)).finishedAt === null);
    return { id, corrections: [{ column: 'name', value: 'Baixo', text: 'Baixa' }] };
  },
  'teams.removeMember': async ({ request, unique }) => {
    const { id: agentId } = await request('POST', '/agents', {
      firstName: 'Ana',
      lastName: `Reis ${unique()}`,
    });
    return { id: (await request('POST', '/teams', { name: 'Ribeira', members: [{ agentId }] })).id, agentId };
  },
  ...Object.fromEntries(['passkeys.update', 'passkeys.delete'].map((name) => [name, aPasskey])),
  ...Object.fromEntries(['sessions.get', 'sessions.revoke'].map((name) => [name, aSession])),
};

/** Makes two records that are alike, with one telephone if they have any; returns the id of the second. */
async function aDuplicate(resource: ResourceName, { request, unique }: IsolatedService): Promise<string> {
  const phone = `+35192${String(unique()).padStart(7, '0')}`;
  const record = { ...requiredOf(resource), ...knownFields(resource, { phone }) };
  await request('POST', `/${resource}`, record);
  return (await request('POST', `/${resource}`, record)).id;
}

function inactive(resource: ResourceName) {
  const required = requiredOf(resource);
  return async ({ request }: IsolatedService): Promise<Input> => {
    const { id } = await request('POST', `/${resource}`, required);
    await request('PUT', `/${resource}/${id}/deactivate`);
    return { id };
  };
}

async function aPerson({ request, unique }: IsolatedService): Promise<string> {
  const email = `person-${unique()}@atlantico.example`;
  return (await request('POST', '/people', { name: 'Ana', email, grants: [{ role: 'viewer' }] })).id;
}

/** Only a browser makes these over HTTP. */
async function aPasskey(service: IsolatedService): Promise<Input> {
  return { id: await service.passkey(await aPerson(service)) };
}
async function aSession(service: IsolatedService): Promise<Input> {
  return { id: await service.session(await aPerson(service)) };
}

/** The value at a JSON pointer. */
function pointed(value: unknown, pointer: string): unknown {
  const names = pointer.split('/').slice(1);
  return names.reduce<unknown>((part, name) => Object(part)[name], value);
}

/**
 * The input of a call that succeeds: the example of the operation's schema, of records that are made by the requests of its metadata or, for
 * an operation on one record, of the operation that creates one.
 */
export async function exampleInput(operation: Operation, service: IsolatedService): Promise<Input> {
  const { request, unique, key, compare } = service;
  const own = await replaced[operation.procedure]?.(service);
  const found = own?.id === undefined ? exampleOf(operation) : undefined;
  const { requests, path, body } = found ?? { requests: [], path: {}, body: {} };
  const number = String(unique()).padStart(4, '0');
  const values: Readonly<Record<string, string>> = {
    email: `example-${number}@roster.example`,
    phone: `+35191000${number}`,
    inAnHour: '2035-01-31T08:00:00Z',
    key,
  };
  const responses: unknown[] = [];
  const filled = (text: string) =>
    text.replaceAll(/\{(\w+?)((?:\/\w+)*)\}/g, (_, name: string, pointer: string) =>
      String(pointer === '' ? values[name] : pointed(responses[Number(name) - 1], pointer)),
    );
  for (const { method, path: route, body: given, until } of requests) {
    const sent = typeof given === 'object' ? JSON.parse(filled(JSON.stringify(given))) : given;
    if (until !== undefined) await compare();
    let response: unknown = await request(method, filled(route), sent);
    while (until !== undefined && (pointed(response, until) ?? null) === null) {
      await setTimeout(20);
      response = await request(method, filled(route), sent);
    }
    responses.push(response);
  }
  const ofPath = Object.entries(path).filter(([name]) => operation.pathParameters.includes(name));
  const made = [...ofPath, ...Object.entries(body)].map(([name, text]) => [name, filled(text)]);
  return {
    ...Object(operation.input.meta()?.example),
    ...Object.fromEntries(requests.length === 0 ? [] : made),
    ...own,
  };
}
