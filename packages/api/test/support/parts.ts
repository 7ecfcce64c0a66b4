/** Parts of the service for the tests of its hosts, which no host needs. */

export { definitions, directory } from '../../src/directory/registry.ts';
export { compareSome } from '../../src/duplicates/worker.ts';
export { ALIVE_MS, SEEN_EVERY_MS } from '../../src/engine/running-servers.ts';
export { purgeTombstones } from '../../src/host/maintenance.ts';
export { createPasskey } from '../../src/identity/passkeys/service.ts';
export { createPersonAtSignIn } from '../../src/identity/people/sign-in.ts';
export { createSession, endSessions } from '../../src/identity/sessions/service.ts';
export { deleteExpiredSignIns, storeSignIn, takeSignIn } from '../../src/identity/sign-in/repository.ts';
export { compactEvents } from '../../src/log/upkeep.ts';
export { deleteExpiredResponses } from '../../src/trpc/idempotency.ts';
export { purgeDeliveries } from '../../src/webhooks/repository.ts';
export type { Resolve } from '../../src/webhooks/sender/ssrf-guard.ts';
