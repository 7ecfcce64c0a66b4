import { type Operation, operations, scopes } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AccessFixture, createAccessFixture, idFor, UNKNOWN_ID } from '../support/auth/access.ts';
import { bearer, keyWith } from '../support/auth/keys.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { bodyFor, pathFor } from '../support/inputs.ts';

let server: TestServer;
let access: AccessFixture;
/** A key of all scopes that is limited to an office which no record of the fixture belongs to. */
let limited: { Authorization: string };
beforeAll(async () => {
  server = await startTestServer();
  access = await createAccessFixture(server);
  const office = await directoryOf(server).office();
  limited = bearer((await keyWith(server, scopes, { officeIds: [office.id] })).secret);
});
afterAll(() => server[Symbol.asyncDispose]());

/** A pair of duplicates is named by an id of its own; which of them a limited caller gets is for the tests of duplicates. */
const ofOneRecord = operations.filter(
  ({ path, pathParameters }) => pathParameters.includes('id') && !path.includes('/duplicates/{id}'),
);

/** The response without what differs with every request, and the id that it was asked for as `{id}`. */
async function responseTo(operation: Operation, id: string, body: unknown) {
  const response = await server.request(operation.method, pathFor(operation, id), body, limited);
  const { requestId: _, ...problem } = JSON.parse((await response.text()) || '{}') as Record<string, unknown>;
  return { status: response.status, problem: JSON.stringify(problem).replaceAll(id, '{id}') };
}

describe('a caller who is limited to an office', () => {
  it.each(ofOneRecord.map((operation) => [operation.procedure, operation] as const))(
    'gets for the id of a record outside of it what an unknown id gets: %s',
    async (_, operation) => {
      const id = idFor(operation, access);
      expect(id, 'add a record of this kind to createAccessFixture').not.toBe(UNKNOWN_ID);
      const body = bodyFor(operation);
      const unknown = await responseTo(operation, UNKNOWN_ID, body);
      expect(unknown.status).toBe(404);
      expect(await responseTo(operation, id, body)).toEqual(unknown);
    },
  );
});
