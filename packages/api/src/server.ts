/**
 * The parts with which a server hosts the service: the router, its context, and the workers. Unlike index.ts, it exposes the
 * types of the database.
 */

export { type Authenticator, createAuthenticator } from './access/authenticator.ts';
export { type Caller, limitFor, type NeededRight } from './access/caller.ts';
export { GRANT_OFFICES_MAX, GRANTS_MAX, Role } from './access/roles.ts';
export { createFirstKey, hasKeys } from './api-keys/service.ts';
export { definitions, directory } from './directory.ts';
export { compareSome, startComparisonWorker } from './duplicates/worker.ts';
export { pointerTo } from './errors/describe-issue.ts';
export { toRosterError } from './errors/to-roster-error.ts';
export { createDenialLog, type Denial, type DenialLog } from './event-log/denial-log.ts';
export { createEventNotifier, type EventNotifier } from './event-log/notifier.ts';
export { startSequencer } from './event-log/sequencer.ts';
export { compactEvents, eraseEvents } from './event-log/upkeep.ts';
export { deleteAbandonedUploads } from './file-imports/uploads/repository.ts';
export { deleteEndedInvitations } from './invitations/repository.ts';
export { acceptInvitation, findInvitation } from './invitations/service.ts';
export { startJobWorker } from './job-worker.ts';
export { purgeJobs } from './jobs/retention.ts';
export { deleteOldNotices } from './licenses/notices.ts';
export { startLicenseWorker } from './licenses/worker.ts';
export { type Definition, definitionsOf } from './openapi/operations.ts';
export { findCredentials, recordUseOfPasskey, type StoredPasskey } from './passkeys/repository.ts';
export { createPasskey, PASSKEYS_MAX } from './passkeys/service.ts';
export { type Identity, recordSignIn } from './people/repository.ts';
export type { Person } from './people/schemas.ts';
export {
  createPersonAtSignIn,
  findOrLinkPerson,
  findPerson,
  updatePersonAtSignIn,
} from './people/sign-in.ts';
export { deleteExpiredResponses } from './procedures/idempotency.ts';
export { startPeriodicJob } from './queue/periodic-job.ts';
export { columnOf } from './resources/fields/columns.ts';
export { decodedSchema, RawJson } from './resources/json/raw-json.ts';
export { purgeTombstones } from './resources/retention.ts';
export { backfillRecords } from './resources/write/backfill.ts';
export type { Precondition } from './resources/write/precondition.ts';
export { findDefaultCountry } from './resources/write/telephone-countries.ts';
export { appRouter } from './root.ts';
export { purgeScheduledChanges } from './scheduled-changes/repository.ts';
export {
  type AttemptResult,
  createSender,
  type Sender,
  type SenderOptions,
} from './sender/http-sender.ts';
export type { Resolve } from './sender/ssrf-guard.ts';
export { deleteEndedSessions, type SessionOwner, type SessionSelection } from './sessions/repository.ts';
export type { Session, SessionMethod } from './sessions/schemas.ts';
export {
  type CreatedSession,
  createSession,
  endSessions,
  findSession,
  type NewSession,
} from './sessions/service.ts';
export { chooseFirstCountry } from './settings/service.ts';
export {
  deleteExpiredSignIns,
  readSignIn,
  recordLogoutToken,
  storeSignIn,
  takeSignIn,
} from './sign-in/repository.ts';
export {
  createFirstPerson,
  findIdToken,
  findOwner,
  hasPeople,
  storeLink,
  takeLink,
  takeTerminalCode,
} from './sign-in/service.ts';
export { COUNTING_TIMEOUT_MS, startStatsWorker } from './stats/service.ts';
export {
  ALIVE_MS,
  describeServer,
  type RunningServer,
  SEEN_EVERY_MS,
  startServerRegistry,
} from './status/registry.ts';
export {
  type EventLogStats,
  readDeliveryQueueStats,
  readEventLogStats,
  readLaggingWebhooks,
  readScheduledChangeStats,
} from './status/repository.ts';
export { createStatusReader, type ReadStatus } from './status/service.ts';
export { startScheduledChangeWorker } from './transitions/worker.ts';
export type { Context, Instrument, InvitationLetter, MailAnswer, Services } from './trpc/context.ts';
export type { ResponseMeta } from './trpc/response-meta.ts';
export { waitForCapacity } from './trpc/validation-queue.ts';
export { purgeDeliveries } from './webhooks/repository.ts';
export { type DeliveryWorkerOptions, startDeliveryWorker } from './webhooks/sending/delivery-worker.ts';
