import type { IncomingHttpHeaders } from 'node:http';
import { findFieldTexts, queryEntries, queryRecords, waitForPositions } from '@roster/api/query';
import { type EventNotifier, ofVersion, toRosterError } from '@roster/api/server';
import type { Row, Service } from '@roster/reso';
import { parsePrecondition } from '../http/request-headers.ts';
import { callProcedure, type ServerContext } from '../procedures.ts';

/** Entity tags of the Web API are weak. Rejects with `unauthenticated`. */
export async function createService(
  context: ServerContext,
  headers: IncomingHttpHeaders,
  notifier: EventNotifier,
): Promise<Service> {
  const caller = await context.request.authenticate();
  const precondition = () => parsePrecondition(headers, { isWeak: true });
  const request = { ...context.request, precondition };
  const call = { ...context, caller, request };
  const { responseMeta } = request;
  return {
    findRecords: (query) => queryRecords(call, query),
    findFieldTexts: (query) => findFieldTexts(call, query),
    findEvents: (query) => queryEntries(call, query),
    waitForEvents: (timeoutMs) => waitForPositions(call.db, { notifier, timeoutMs }),
    query: (path, input) => run(call, { path, type: 'query', input }),
    mutate: async (path, input, { version } = {}) => {
      const named = version === undefined ? request : { ...request, precondition: () => ofVersion(version) };
      const record = await run({ ...call, request: named }, { path, type: 'mutation', input });
      return { record, isReplayed: responseMeta.isReplayed === true };
    },
    charge: request.charge,
    hasScope: (scope) => caller.grants.some(({ scopes }) => scopes.includes(scope)),
    isVersionRequired: request.isVersionRequired,
  };
}

async function run(
  context: ServerContext,
  call: { path: string; type: 'query' | 'mutation'; input: object },
) {
  try {
    return (await callProcedure(call, { context })) as Row;
  } catch (thrown) {
    throw toRosterError(thrown);
  }
}
