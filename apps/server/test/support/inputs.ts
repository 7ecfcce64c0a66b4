import { type Operation, resourceNames } from '@roster/api';
import { type CollectionName, collections, next, smallest } from './fixtures.ts';

/** An id of an office that no test creates. */
const UNKNOWN_OFFICE = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e12';
/** An id of a person that no test creates. */
const UNKNOWN_PERSON = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e13';
/** An id of an agent that no test creates. */
const UNKNOWN_AGENT = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e14';

/** A change of the records that a filter selects, which are none. */
const noRecords = { filter: { sourceKey: ['none'] }, change: { type: 'deactivate' }, expectedCount: 0 };

/** The file of an import. */
const file = 'name\nBaixa\n';

/** The bodies of the operations that all resources have. */
const bodiesOf = (collection: CollectionName): Record<string, () => Record<string, unknown>> => ({
  [`${collection}.create`]: () => smallest(collection),
  [`${collection}.checkDuplicates`]: () => smallest(collection),
  [`imports.${collection}`]: () => ({ records: [smallest(collection)] }),
  [`${collection}.bulk`]: () => noRecords,
  [`${collection}.update`]: () => smallest(collection),
  [`${collection}.revert`]: () => ({ toVersion: 1 }),
  [`${collection}.merge`]: () => ({ duplicateId: UNKNOWN_OFFICE }),
});

/** Bodies that create a record or change one, for operations that need more than an id. */
const bodies: Record<string, () => Record<string, unknown>> = {
  ...Object.assign({}, ...collections.map(bodiesOf)),
  'keys.create': () => ({ name: `Key ${next()}`, scopes: ['keys:manage'] }),
  'webhooks.create': () => ({ url: `http://127.0.0.1:9/${next()}`, types: ['office.purged'] }),
  'people.invite': () => ({
    name: `Person ${next()}`,
    email: `person-${next()}@atlantico.example`,
    grants: [{ role: 'viewer' }],
  }),
  'invitations.create': () => ({ personId: UNKNOWN_PERSON }),
  'passkeys.update': () => ({ name: `Passkey ${next()}` }),
  'people.update': () => ({ name: `Person ${next()}` }),
  'views.create': () => ({ name: `View ${next()}`, resource: 'agents' }),
  'views.update': () => ({ name: `View ${next()}` }),
  'keys.update': () => ({ name: `Key ${next()}` }),
  'webhooks.update': () => ({ description: `Webhook ${next()}` }),
  'agents.transfer': () => ({ officeId: UNKNOWN_OFFICE }),
  'offices.transferAgents': () => ({ toOfficeId: UNKNOWN_OFFICE }),
  'webhooks.replay': () => ({ after: '0' }),
  'imports.correct': () => ({ corrections: [{ column: 'name', value: 'Baixa', text: 'Alta' }] }),
  'imports.preview': () => ({ beginning: Buffer.from(file).toString('base64') }),
};

/** The smallest valid body of JSON of an operation; undefined if it has none. */
export function bodyFor({ procedure, hasBody }: Operation): Record<string, unknown> | undefined {
  return hasBody ? (bodies[procedure]?.() ?? {}) : undefined;
}

/** The file and the headers of a REST request of an operation that takes one; nothing of another. */
export function fileFor({ fileTypes }: Operation): { body?: string; headers?: Record<string, string> } {
  return fileTypes === undefined ? {} : { body: file, headers: { 'Content-Type': String(fileTypes[0]) } };
}

/** Whether the request that the tests make for an operation names a record that does not exist, in the path or in the body. */
export function namesUnknown({ procedure, pathParameters }: Operation): boolean {
  return pathParameters.includes('id') || procedure === 'invitations.create';
}

/** The path of an operation, with the id of a record or the name of a resource if it has one. */
export function pathFor({ path }: Operation, id: string): string {
  return path.replace('{id}', id).replace('{agentId}', UNKNOWN_AGENT).replace('{resource}', resourceNames[0]);
}

/** The same request as an input of RPC. */
export function inputFor(operation: Operation, id: string): Record<string, unknown> {
  const { pathParameters, fileTypes } = operation;
  return {
    ...(pathParameters.includes('id') && { id }),
    ...(pathParameters.includes('agentId') && { agentId: UNKNOWN_AGENT }),
    ...(fileTypes !== undefined && { resource: resourceNames[0], content: file }),
    ...bodyFor(operation),
  };
}
