import { type Operation, operations, Role, streams } from '@roster/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UNKNOWN_ID } from '../support/auth/access.ts';
import { type AccessRow, accessRows, unlimitedOnly } from '../support/auth/access-rows.ts';
import { personWith, type TestPerson } from '../support/auth/people.ts';
import { call } from '../support/calls.ts';
import { directoryOf } from '../support/fixtures.ts';
import { startTestServer, type TestServer } from '../support/index.ts';
import { bodyFor, fileFor, inputFor, namesUnknown, pathFor } from '../support/inputs.ts';

const roles = Role.options;

/** A person with each role, for everything and for one office. */
interface Holder extends TestPerson {
  role: (typeof roles)[number];
  isLimited: boolean;
}

let server: TestServer;
let officeId: string;
const holders: Holder[] = [];
beforeAll(async () => {
  server = await startTestServer();
  officeId = (await directoryOf(server).office()).id;
  for (const role of roles) {
    const limited = await personWith(server, [{ role, officeIds: [officeId] }]);
    holders.push({ ...(await personWith(server, [{ role }])), role, isLimited: false });
    holders.push({ ...limited, role, isLimited: true });
  }
});
afterAll(() => server[Symbol.asyncDispose]());

/** What a limited caller has to say of something new: where it belongs. */
const limitedBodies: Record<string, () => Record<string, unknown>> = {
  'offices.create': () => ({ mainOfficeId: officeId }),
  'agents.create': () => ({ officeId }),
  'teams.create': () => ({ officeId }),
  'people.invite': () => ({ grants: [{ role: 'viewer', officeIds: [officeId] }] }),
  'agents.transfer': () => ({ officeId }),
  'offices.transferAgents': () => ({ toOfficeId: officeId }),
  'imports.offices': () => ({ records: [{ name: 'Porto', mainOfficeId: officeId }] }),
  'imports.agents': () => ({ records: [{ firstName: 'Ana', lastName: 'Silva', officeId }] }),
  'imports.teams': () => ({ records: [{ name: 'Equipa', officeId }] }),
};

/** Whether a role is the one of a row or a higher one. */
function mayCall(role: Holder['role'], row: AccessRow | undefined): boolean {
  if (row === undefined) return false;
  return row === 'everyone' || roles.indexOf(role) >= roles.indexOf(row);
}

function inputOf(operation: Operation, { isLimited }: Holder): Record<string, unknown> | undefined {
  const body = bodyFor(operation);
  const more = isLimited ? limitedBodies[operation.procedure]?.() : undefined;
  return body && { ...body, ...more };
}

/** With an unknown id, so that one operation does not change the record of the next. */
function servedStatus(operation: Operation): number {
  return namesUnknown(operation) ? 404 : operation.status;
}

async function byRest(operation: Operation, holder: Holder): Promise<number> {
  const { method } = operation;
  const path = pathFor(operation, UNKNOWN_ID);
  const file = fileFor(operation);
  const body = inputOf(operation, holder) ?? file.body;
  return (await server.request(method, path, body, { ...file.headers, ...holder.headers })).status;
}

async function byRpc(operation: Operation, holder: Holder): Promise<number> {
  const input = { ...inputFor(operation, UNKNOWN_ID), ...inputOf(operation, holder) };
  return (await call(server, [operation.procedure, input], holder.headers)).status;
}

describe('the access matrix', () => {
  it('has a row for every procedure, and no other', () => {
    const procedures = [...operations, ...streams].map(({ procedure }) => procedure);
    expect(Object.keys(accessRows).sort()).toEqual(procedures.sort());
  });

  it.each(operations.map((operation) => [operation.procedure, operation] as const))(
    'holds for every role, for everything and for one office, over REST and RPC: %s',
    async (procedure, operation) => {
      for (const holder of holders) {
        const isAllowed =
          mayCall(holder.role, accessRows[procedure]) && !(holder.isLimited && unlimitedOnly.has(procedure));
        const expected = isAllowed ? servedStatus(operation) : 403;
        const what = `${holder.isLimited ? 'limited ' : ''}${holder.role}`;
        expect(await byRest(operation, holder), `${what} by REST`).toBe(expected);
        const inRpc = expected === 404 || expected === 403 ? expected : 200;
        expect(await byRpc(operation, holder), `${what} by RPC`).toBe(inRpc);
      }
    },
  );

  it.each(streams.map((stream) => [stream.procedure, stream] as const))(
    'holds for every role: %s',
    async (procedure, { path }) => {
      for (const holder of holders) {
        const response = await server.request('GET', path, undefined, holder.headers);
        await response.body?.cancel();
        expect(response.status).toBe(mayCall(holder.role, accessRows[procedure]) ? 200 : 403);
      }
    },
  );
});
