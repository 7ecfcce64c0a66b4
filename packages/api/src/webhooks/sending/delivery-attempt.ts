import { setTimeout } from 'node:timers/promises';
import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { eventsFor } from '../../event-log/events-for.ts';
import { findEvent } from '../../event-log/repository.ts';
import { RecordEvent } from '../../event-log/schemas.ts';
import { readLimit } from '../../resources/office-limit.ts';
import { type AttemptResult, isSuccess, type Message, type Sender } from '../../sender/http-sender.ts';
import {
  type ClaimedDelivery,
  complete,
  type DeliveryOutcome,
  LEASE_MS,
  pause,
  recordTrouble,
} from '../delivery-queue.ts';
import { eventPayload, type Payload, signedMessage } from '../message.ts';
import { isAskedToWait, RETRY_DELAYS_MS, retryDelay } from '../retry-schedule.ts';
import { disableWebhook } from '../service.ts';

export interface AttemptOptions {
  db: Kysely<Database>;
  sender: Sender;
  now: () => Date;
  /** The delay after each failed attempt; there is one attempt more than delays. */
  retryDelaysMs?: readonly number[] | undefined;
  /** An attempt that takes longer is slow, and so is its webhook until one is quicker: 1,000 ms unless given. */
  slowAfterMs?: number | undefined;
  /** Called when the attempt has become slow, at most once. */
  onSlow: () => void;
  /** The latest time to send, by `performance.now()`: later another server may have taken the delivery over. */
  sendUntilMs: number;
  /** Aborts the attempt. */
  signal: AbortSignal;
  /** Called with failures of the database; the worker tries again by itself. */
  onFailure: (error: unknown) => void;
}

export const SLOW_AFTER_MS = 1_000;
const RETRY_INTERVAL_MS = 250;

/** Makes one attempt of a delivery and records its result. While the database is unavailable, it retries until the lease ends. */
export async function attemptDelivery(claimed: ClaimedDelivery, options: AttemptOptions): Promise<void> {
  const { db, now, sendUntilMs, signal, onFailure } = options;
  const leaseEndMs = performance.now() + LEASE_MS;
  const retry = <Result>(work: () => Promise<Result>, untilMs = leaseEndMs) =>
    retryUntil(untilMs, work, options);
  const releaseUnsent = () =>
    retry(() => complete(db, claimed, { outcome: { status: 'pending', retryInMs: 0 } }));

  let payload: Payload | undefined;
  try {
    payload = await retry(() => loadPayload(db, claimed), Math.min(sendUntilMs, leaseEndMs));
  } catch (error) {
    onFailure(error);
    await releaseUnsent();
    return;
  }
  if (payload === undefined) {
    // The log was compacted to a newer event of the record, which has its own delivery, or the event is no longer the webhook's.
    await retry(() => complete(db, claimed, { outcome: { status: 'superseded' } }));
    return;
  }
  // Released, because it would count as running until its lease ends.
  if (performance.now() >= sendUntilMs) {
    await releaseUnsent();
    return;
  }
  const result = await sendTimed(claimed, signedMessage(payload, claimed, now()), options);
  if (signal.aborted && result.attempt.status === null) {
    await releaseUnsent();
    return;
  }
  const retryDelaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  await retry(() => recordResult(db, claimed, { result, retryDelaysMs, now: now() }));
}

/**
 * Sends a message, and records if the webhook has become slow or quick: slow already during the attempt, because it limits the
 * attempts that start next. If recording fails, the next attempt does it.
 */
async function sendTimed(
  { webhookId, isSlow: wasSlow }: ClaimedDelivery,
  message: Message,
  { db, sender, signal, slowAfterMs = SLOW_AFTER_MS, onSlow, onFailure }: AttemptOptions,
): Promise<AttemptResult> {
  const recordChange = async (isSlow: boolean) => {
    if (isSlow === wasSlow) return;
    await recordTrouble(db, 'slow_since', { webhookId, isTroubled: isSlow }).catch(onFailure);
  };
  let recorded: Promise<void> | undefined;
  const timer = globalThis.setTimeout(() => {
    onSlow();
    recorded = recordChange(true);
  }, slowAfterMs);
  const result = await sender.send(message, { signal });
  clearTimeout(timer);
  await (recorded ?? recordChange(false));
  return result;
}

/**
 * Repeats what fails, until a time by `performance.now()`. A delivery whose result is not recorded counts as running until its
 * lease ends, and is then sent again.
 */
async function retryUntil<Result>(
  untilMs: number,
  work: () => Promise<Result>,
  { signal, onFailure }: Pick<AttemptOptions, 'signal' | 'onFailure'>,
): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || performance.now() + RETRY_INTERVAL_MS > untilMs) throw error;
      onFailure(error);
      await setTimeout(RETRY_INTERVAL_MS);
    }
  }
}

/**
 * The payload of the event of a delivery; undefined if the log was compacted beyond it, or the event is of an office that the webhook
 * has no longer.
 */
export async function loadPayload(
  db: Kysely<Database>,
  claimed: Pick<ClaimedDelivery, 'position' | 'officeIds'>,
): Promise<Payload | undefined> {
  const { position, officeIds } = claimed;
  const limit = officeIds === null ? undefined : await readLimit(db, officeIds);
  const stored = await findEvent<RecordEvent>(db, position, limit);
  if (stored === undefined) return undefined;
  const [event = stored] = await eventsFor(db, [stored], { caller: undefined, limit });
  // An event that does not match the schema is sent as it is, because it would never be sent otherwise.
  const { data = event } = RecordEvent.safeParse(event);
  return eventPayload(data);
}

async function recordResult(
  db: Kysely<Database>,
  claimed: ClaimedDelivery,
  { result, retryDelaysMs, now }: { result: AttemptResult; retryDelaysMs: readonly number[]; now: Date },
): Promise<void> {
  const { attempt, retryAfterMs } = result;
  const { webhookId } = claimed;
  const isHealthy = isSuccess(attempt.status);
  const failed = { count: claimed.attempts + 1, status: attempt.status, retryAfterMs };
  const retryInMs = isHealthy ? undefined : retryDelay(failed, retryDelaysMs);
  // Before the delivery is completed, so that the next claim respects the pause.
  if (retryInMs !== undefined && isAskedToWait(failed)) await pause(db, claimed, { timeMs: retryInMs });
  if (attempt.status === 410)
    await disableWebhook(db, claimed, { reason: 'The receiver answered 410 Gone.', now });
  if (isHealthy === claimed.isFailing)
    await recordTrouble(db, 'failing_since', { webhookId, isTroubled: !isHealthy });
  await complete(db, claimed, { outcome: outcomeOf(isHealthy, retryInMs), attempt });
}

function outcomeOf(isHealthy: boolean, retryInMs: number | undefined): DeliveryOutcome {
  if (isHealthy) return { status: 'delivered' };
  return retryInMs === undefined ? { status: 'failed' } : { status: 'pending', retryInMs };
}
