/**
 * The parts with which a server hosts the service: the router, its context, and the workers. Unlike index.ts, it exposes the
 * types of the database.
 */

export { deleteOldNotices } from './agents/licenses/notices.ts';
export { startLicenseWorker } from './agents/licenses/worker.ts';
export { definitions, directory } from './directory.ts';
export { compareSome, startComparisonWorker } from './duplicates/worker.ts';
export { columnOf } from './engine/fields/columns.ts';
export { RawJson } from './engine/json/raw-json.ts';
export { startPeriodicJob } from './engine/queue/periodic-job.ts';
export { purgeTombstones } from './engine/retention.ts';
export {
  ALIVE_MS,
  describeServer,
  type RunningServer,
  SEEN_EVERY_MS,
  startServerRegistry,
} from './engine/running-servers.ts';
export { backfillRecords } from './engine/write/backfill.ts';
export type { Precondition } from './engine/write/precondition.ts';
export { findDefaultCountry } from './engine/write/telephone-countries.ts';
export { pointerTo } from './errors/describe-issue.ts';
export { toRosterError } from './errors/to-roster-error.ts';
export { type EventLogStats, readEventLogStats } from './events/log/backlog.ts';
export { createDenialLog, type Denial, type DenialLog } from './events/log/denial-log.ts';
export { createEventNotifier, type EventNotifier } from './events/log/notifier.ts';
export { startSequencer } from './events/log/sequencer.ts';
export { compactEvents, eraseEvents } from './events/log/upkeep.ts';
export { type Authenticator, createAuthenticator } from './identity/access/authenticator.ts';
export { type Caller, limitFor, type NeededRight } from './identity/access/caller.ts';
export { GRANT_OFFICES_MAX, GRANTS_MAX, Role } from './identity/access/roles.ts';
export { deleteEndedInvitations } from './identity/invitations/repository.ts';
export { acceptInvitation, findInvitation } from './identity/invitations/service.ts';
export { createFirstKey, hasKeys } from './identity/keys/service.ts';
export { findCredentials, recordUseOfPasskey, type StoredPasskey } from './identity/passkeys/repository.ts';
export { createPasskey, PASSKEYS_MAX } from './identity/passkeys/service.ts';
export { type Identity, recordSignIn } from './identity/people/repository.ts';
export type { Person } from './identity/people/schemas.ts';
export {
  createPersonAtSignIn,
  findOrLinkPerson,
  findPerson,
  updatePersonAtSignIn,
} from './identity/people/sign-in.ts';
export type { InvitationLetter, MailAnswer } from './identity/people/sign-in-ways.ts';
export {
  deleteEndedSessions,
  type SessionOwner,
  type SessionSelection,
} from './identity/sessions/repository.ts';
export type { Session, SessionMethod } from './identity/sessions/schemas.ts';
export {
  type CreatedSession,
  createSession,
  endSessions,
  findSession,
  type NewSession,
} from './identity/sessions/service.ts';
export {
  deleteExpiredSignIns,
  readSignIn,
  recordLogoutToken,
  storeSignIn,
  takeSignIn,
} from './identity/sign-in/repository.ts';
export {
  createFirstPerson,
  findIdToken,
  findOwner,
  hasPeople,
  storeLink,
  takeLink,
  takeTerminalCode,
} from './identity/sign-in/service.ts';
export { deleteAbandonedUploads } from './imports/files/uploads/repository.ts';
export { purgeJobs } from './jobs/retention.ts';
export { startJobWorker } from './jobs/worker.ts';
export { type Collaborators, createAppRouter, type ServiceRouter } from './router.ts';
export { readScheduledChangeStats, type ScheduledChangeStats } from './schedule/backlog.ts';
export { purgeScheduledChanges } from './schedule/repository.ts';
export { startScheduledChangeWorker } from './schedule/worker.ts';
export { chooseFirstCountry } from './settings/service.ts';
export { COUNTING_TIMEOUT_MS, startStatsWorker } from './stats/service.ts';
export type { Context } from './trpc/context.ts';
export { deleteExpiredResponses } from './trpc/idempotency.ts';
export type { ResponseMeta } from './trpc/response-meta.ts';
export { waitForCapacity } from './trpc/validation-queue.ts';
export {
  type DeliveryStats,
  type LaggingWebhook,
  readDeliveryStats,
  readLaggingWebhooks,
} from './webhooks/backlog.ts';
export { purgeDeliveries } from './webhooks/repository.ts';
export {
  type AttemptResult,
  createSender,
  type Sender,
  type SenderOptions,
} from './webhooks/sender/http-sender.ts';
export type { Resolve } from './webhooks/sender/ssrf-guard.ts';
export { type DeliveryWorkerOptions, startDeliveryWorker } from './webhooks/sending/delivery-worker.ts';
