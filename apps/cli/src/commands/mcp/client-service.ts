import { callsByName, type RosterClient, RosterError } from '@roster/client';
import type { Problem, Service } from '@roster/mcp';

/** The procedures of a service, called over the wire. */
export function serviceOf(client: RosterClient): Service {
  return { ...callsByName(client), problemOf };
}

/** An error of the service or of the way to it; undefined for any other. */
function problemOf(error: unknown): Problem | undefined {
  if (!(error instanceof RosterError)) return undefined;
  const { code, detail, status, requestId, errors, errorsOmitted } = error;
  const { currentVersion, mergedInto, dependents, retryAfterMs } = error;
  return {
    code,
    detail,
    // Without a response there is no status.
    ...(status > 0 && { status }),
    requestId,
    ...(errors.length > 0 && { errors }),
    ...(errorsOmitted > 0 && { errorsOmitted }),
    currentVersion,
    mergedInto,
    dependents,
    ...(retryAfterMs !== undefined && { retryAfterSeconds: Math.ceil(retryAfterMs / 1_000) }),
  };
}
