import { type RosterClient, RosterError } from '@roster/client';
import type { Call, Problem, Service } from '@roster/mcp';

interface Procedure {
  query(input: object, options: { signal: AbortSignal }): Promise<unknown>;
  mutate(input: object, options: { signal: AbortSignal }): Promise<unknown>;
}

/** The procedures of a service, called over the wire. */
export function serviceOf(client: RosterClient): Service {
  const resources = client as unknown as Readonly<Record<string, Readonly<Record<string, Procedure>>>>;
  const call =
    (kind: 'query' | 'mutate'): Call =>
    async (name, input, options) => {
      const [resource = '', operation = ''] = name.split('.');
      const procedure = resources[resource]?.[operation];
      if (procedure === undefined) throw new Error(`There is no procedure ${name}`);
      return procedure[kind](input, options);
    };
  return { query: call('query'), mutate: call('mutate'), problemOf };
}

/** An error of the service or of the way to it; undefined for any other. */
function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof RosterError)) return undefined;
  const { code, detail, status, requestId, errors, errorsOmitted } = error;
  const { currentVersion, dependents, retryAfterMs } = error;
  return {
    code,
    detail,
    // Without a response there is no status.
    ...(status > 0 && { status }),
    requestId,
    ...(errors.length > 0 && { errors }),
    ...(errorsOmitted > 0 && { errorsOmitted }),
    currentVersion,
    dependents,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  };
}
