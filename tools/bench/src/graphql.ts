import type { Operation } from './operations.ts';
import { PAGE } from './operations.ts';
import { nextExpiryOf } from './peers/agent.ts';

/** The operations as PostGraphile is asked for them, and its answers as records of ours. */

type Json = Record<string, unknown>;

const sameNames = [
  ...['status', 'statusReason', 'version', 'firstName', 'lastName', 'middleName', 'nickname', 'namePrefix'],
  ...['nameSuffix', 'displayName', 'title', 'type', 'officeId', 'email', 'phone', 'phoneExt', 'mobilePhone'],
  ...['directPhone', 'fax', 'mlsId', 'nationalAssociationId', 'licenses', 'languages', 'designations'],
  ...['assistantToAgentId', 'website', 'photoUrl', 'bio', 'metadata', 'scheduledChanges'],
  'affiliations',
];
const times = ['statusChangedAt', 'deactivatedAt', 'createdAt', 'updatedAt', 'transferredAt'];
const address = {
  line1: 'addressLine1',
  line2: 'addressLine2',
  city: 'addressCity',
  county: 'addressCounty',
  region: 'addressRegion',
  postalCode: 'addressPostalCode',
  country: 'addressCountry',
};

const fields = ['rowId', 'sourceName', 'sourceKey', ...sameNames, ...times, ...Object.values(address)].join(
  ' ',
);

const documents = {
  get: `query Get($id: UUID!) { agentByRowId(rowId: $id) { ${fields} } }`,
  list: `query List($region: AgentAddressRegion!) {
    allAgents(first: ${PAGE}, condition: { status: "active", addressRegion: $region }, orderBy: [LAST_NAME_ASC, ROW_ID_ASC]) {
      nodes { ${fields} } } }`,
  search: `query Search($q: String!) { searchAgents(q: $q, first: ${PAGE}) { nodes { ${fields} } } }`,
  create: `mutation Create($agent: JSON!) { benchCreateAgent(input: { fields: $agent }) { result { ${fields} } } }`,
  patch: `mutation Patch($id: UUID!, $version: Int!, $title: String!) {
    benchPatchAgent(input: { agentId: $id, expected: $version, newTitle: $title }) { result { ${fields} } } }`,
};

/** The body of the request of an operation. */
export function graphqlOf(operation: Operation): { query: string; variables: Json } {
  const { kind, ...variables } = operation;
  if (kind === 'batch') throw new Error('no work asks for batches by GraphQL');
  return { query: documents[kind], variables };
}

/** The records of an answer, with the names and shapes of GraphQL. */
export function graphqlFieldsOf({ kind }: Operation, data: Json): Json[] {
  const nodesOf = (connection: unknown) => (connection as { nodes: Json[] }).nodes;
  const resultOf = (payload: unknown) => (payload as { result: Json }).result;
  switch (kind) {
    case 'get':
      return [data.agentByRowId as Json];
    case 'list':
      return nodesOf(data.allAgents);
    case 'search':
      return nodesOf(data.searchAgents);
    case 'create':
      return [resultOf(data.benchCreateAgent)];
    default:
      return [resultOf(data.benchPatchAgent)];
  }
}

/** A record of ours, of what GraphQL answered. */
export function recordOfGraphql(node: Json): Json {
  const same = Object.fromEntries(sameNames.map((name) => [name, node[name]]));
  const utc = times.map((name) => [
    name,
    node[name] === null ? null : new Date(String(node[name])).toISOString(),
  ]);
  const parts = Object.entries(address).map(([part, name]) => [part, node[name]] as const);
  return {
    ...same,
    ...Object.fromEntries(utc),
    id: node.rowId,
    nextLicenseExpiresOn: nextExpiryOf(node.licenses),
    displayName: node.displayName ?? `${node.firstName} ${node.lastName}`,
    address: parts.some(([, value]) => value !== null) ? Object.fromEntries(parts) : null,
    source: node.sourceName === null ? null : { name: node.sourceName, key: node.sourceKey },
  };
}
