import { expect, it } from 'vitest';
import { resourceNames } from '../directory/registry.ts';
import { type Operation, operations } from '../openapi/operations.ts';
import { readScopes, type Scope, writeScopes } from './scopes.ts';

type Scopes = readonly Scope[];

/** The scopes of operations that are not of one resource of the directory: of those that read, and of those that change. */
const groups: Readonly<Record<string, { query: Scopes; mutation: Scopes }>> = {
  deletedRecords: { query: writeScopes, mutation: [] },
  scheduledChanges: { query: ['offices:read'], mutation: ['offices:write'] },
  imports: { query: readScopes, mutation: writeScopes },
  jobs: { query: readScopes, mutation: writeScopes },
  events: { query: ['events:read'], mutation: [] },
  webhooks: { query: ['webhooks:manage'], mutation: ['webhooks:manage'] },
  keys: { query: ['keys:manage'], mutation: ['keys:manage'] },
  people: { query: ['people:manage'], mutation: ['people:manage'] },
  invitations: { query: ['people:manage'], mutation: ['people:manage'] },
  // Of the caller alone, or by a check of its own.
  sessions: { query: [], mutation: [] },
  passkeys: { query: [], mutation: [] },
  stats: { query: ['offices:read'], mutation: [] },
  // A view belongs to its owner, and says nothing of records.
  views: { query: readScopes, mutation: readScopes },
  settings: { query: [], mutation: ['people:manage'] },
};

/** People end their own sessions without a scope. */
const withoutScope: readonly string[] = ['people.revokeSessions'];

/** Operations of a resource that change nothing, and take a body. */
const readingByBody: readonly string[] = ['checkDuplicates'];

/** The scopes of which a caller must have one, as they follow from what an operation is about and whether it changes that. */
function expectedScopes({ procedure, type }: Pick<Operation, 'procedure' | 'type'>): Scopes {
  if (withoutScope.includes(procedure)) return [];
  const [group = '', name = ''] = procedure.split('.');
  const resource = resourceNames.find((one) => one === group || (group === 'imports' && one === name));
  const isReading = type === 'query' || readingByBody.includes(name);
  if (resource !== undefined) return [`${resource}:${isReading ? 'read' : 'write'}`];
  const scopes = groups[group];
  if (scopes === undefined) throw new Error(`${group} has no scopes here`);
  return type === 'query' ? scopes.query : scopes.mutation;
}

it.each(operations.map((operation) => [operation.procedure, operation] as const))(
  '%s needs the scope of what it reads or changes',
  (_, operation) => {
    const { scope, orScopes } = operation;
    expect(scope === undefined ? [] : [scope, ...orScopes]).toEqual(expectedScopes(operation));
  },
);
