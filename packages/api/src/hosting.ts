/**
 * The second door, for the process that hosts the service. What passes here knows the database; the first
 * door (`index.ts`) does not, so that an application which imports the contract never meets Kysely.
 */
export type { Around, Context, Precondition } from './context.ts';
export { compactEvents } from './events/compaction.ts';
export { createFeed, type Feed } from './events/feed.ts';
export { type LogState, readLogState } from './events/log-state.ts';
export { openPositionGiver } from './events/positions.ts';
export { purgeAnswers } from './idempotency.ts';
export { type Caller, checkScope, createKeyRing, type KeyRing } from './keys/ring.ts';
export { createFirstKey } from './keys/rules.ts';
export { createPlacement, type Freshness, type Placement } from './placement.ts';
export {
  deleteExpiredRates,
  type RateReport,
  type RateSync,
  type RateSyncAnswer,
  syncCallerRates,
  unregisterServer,
} from './rate-limits/queries.ts';
export { type BinaryString, encodeBinaryString, isAscii } from './records/binary-string.ts';
export { decodedSchema, RawJson } from './records/raw-json.ts';
export { renewRecords } from './records/renewal.ts';
export { purgeTombstones } from './records/tombstones.ts';
export { pointerTo, refusalOf } from './refusals.ts';
export { appRouter } from './router.ts';
export { type DelivererOptions, openDeliverer } from './webhooks/deliverer.ts';
export { type QueueState, readQueueState } from './webhooks/queue-state.ts';
export { purgeDeliveries } from './webhooks/retention.ts';
export { type Answer, createSender, type Sender, type SenderOptions } from './webhooks/sender.ts';
export type { Resolve } from './webhooks/target.ts';
export { turnFor } from './work-turns.ts';
