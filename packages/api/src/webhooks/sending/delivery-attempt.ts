import { setTimeout } from 'node:timers/promises';
import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { readLimit } from '../../engine/office-limit.ts';
import { eventsFor } from '../../log/events-for.ts';
import { findEvents } from '../../log/repository.ts';
import { RecordEvent } from '../../log/schemas.ts';
import {
  type ClaimedDelivery,
  type DeliveryOutcome,
  LEASE_MS,
  pause,
  recordTrouble,
  type Settlement,
  settle,
} from '../delivery-queue.ts';
import { eventPayload, type Payload, signedMessage } from '../message.ts';
import { isAskedToWait, RETRY_DELAYS_MS, retryDelay } from '../retry-schedule.ts';
import { type AttemptResult, isSuccess, type Message, type Sender } from '../sender/http-sender.ts';
import { disableWebhook } from '../service.ts';

export interface AttemptOptions {
  db: Kysely<Database>;
  settlements: Settlements;
  sender: Sender;
  now: () => Date;
  /** There is one attempt more than delays. */
  retryDelaysMs?: readonly number[] | undefined;
  /** A slower attempt marks its webhook as slow until one is quicker. Defaults to 1,000 ms. */
  slowAfterMs?: number | undefined;
  onSlow: () => void;
  /** The latest time to send, by `performance.now()`: later, another server may have taken over. */
  sendUntilMs: number;
  signal: AbortSignal;
  onFailure: (error: unknown) => void;
}

const SLOW_AFTER_MS = 1_000;
const RETRY_INTERVAL_MS = 250;

/** Retries while the database is unavailable until it is too late to send; then there are none. */
export async function payloadsFor(
  claimed: readonly ClaimedDelivery[],
  { db, sendUntilMs, ...options }: Pick<AttemptOptions, 'db' | 'sendUntilMs' | 'signal' | 'onFailure'>,
): Promise<Payloads | undefined> {
  try {
    return await retryUntil(sendUntilMs, () => loadPayloads(db, claimed), options);
  } catch (error) {
    options.onFailure(error);
    return undefined;
  }
}

/** Returns whether it was delivered; undefined if it was not sent. */
export async function attemptDelivery(
  claimed: ClaimedDelivery,
  loading: Promise<Payloads | undefined>,
  options: AttemptOptions,
): Promise<boolean | undefined> {
  const { settlements, now, sendUntilMs, signal } = options;
  const leaseEndMs = performance.now() + LEASE_MS;
  const retry = (work: () => Promise<void>) => retryUntil(leaseEndMs, work, options);
  const releaseUnsent = () =>
    retry(() => settlements.add({ claimed, outcome: { status: 'pending', retryInMs: 0 } }));

  const payloads = await loading;
  // Released, because it would count as running until its lease ends.
  if (payloads === undefined || performance.now() >= sendUntilMs) {
    await releaseUnsent();
    return undefined;
  }
  const payload = payloads.get(claimed.id);
  if (payload === undefined) {
    // The log was compacted to a newer event of the record, which has its own delivery, or the webhook lost
    // the event's office.
    await retry(() => settlements.add({ claimed, outcome: { status: 'superseded' } }));
    return undefined;
  }
  const result = await sendTimed(claimed, signedMessage(payload, claimed, now()), options);
  if (signal.aborted && result.attempt.status === null) {
    await releaseUnsent();
    return undefined;
  }
  await retry(() => recordResult(claimed, result, options));
  return isSuccess(result.attempt.status);
}

/** Records slowness during the attempt, because it limits the attempts that start next. */
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

/** Until a time by `performance.now()`: without a recorded result, a delivery is sent again. */
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

async function recordResult(
  claimed: ClaimedDelivery,
  { attempt, retryAfterMs }: AttemptResult,
  { db, settlements, now, retryDelaysMs = RETRY_DELAYS_MS }: AttemptOptions,
): Promise<void> {
  const { webhookId } = claimed;
  const isHealthy = isSuccess(attempt.status);
  const failed = { count: claimed.attempts + 1, status: attempt.status, retryAfterMs };
  const retryInMs = isHealthy ? undefined : retryDelay(failed, retryDelaysMs);
  // Before settling the delivery, so that the next claim sees the pause.
  if (retryInMs !== undefined && isAskedToWait(failed)) await pause(db, claimed, { timeMs: retryInMs });
  if (attempt.status === 410)
    await disableWebhook(db, claimed, { reason: 'The receiver returned 410 Gone.', now: now() });
  if (isHealthy === claimed.isFailing)
    await recordTrouble(db, 'failing_since', { webhookId, isTroubled: !isHealthy });
  await settlements.add({ claimed, outcome: outcomeOf(isHealthy, retryInMs), attempt });
}

function outcomeOf(isHealthy: boolean, retryInMs: number | undefined): DeliveryOutcome {
  if (isHealthy) return { status: 'delivered' };
  return retryInMs === undefined ? { status: 'failed' } : { status: 'pending', retryInMs };
}

type Payloads = ReadonlyMap<string, Payload>;

type Wanted = Pick<ClaimedDelivery, 'id' | 'position' | 'officeIds'>;

/** None if the log was compacted beyond the event, or the webhook lost its office. */
export async function loadPayloads(db: Kysely<Database>, deliveries: readonly Wanted[]): Promise<Payloads> {
  const payloads = new Map<string, Payload>();
  for (const group of Map.groupBy(deliveries, ({ officeIds }) => JSON.stringify(officeIds)).values()) {
    const byPosition = await payloadsOf(db, group);
    for (const { id, position } of group) {
      const payload = byPosition.get(position);
      if (payload !== undefined) payloads.set(id, payload);
    }
  }
  return payloads;
}

async function payloadsOf(
  db: Kysely<Database>,
  deliveries: readonly Wanted[],
): Promise<ReadonlyMap<number, Payload>> {
  const officeIds = deliveries[0]?.officeIds ?? null;
  const limit = officeIds === null ? undefined : await readLimit(db, officeIds);
  const positions = [...new Set(deliveries.map(({ position }) => position))];
  const stored = await findEvents<RecordEvent>(db, positions, limit);
  const events = await eventsFor(db, stored, { caller: undefined, limit });
  return new Map(
    events.map((event) => {
      // An event that violates the schema is sent unchanged, or it would never be sent.
      const { data = event } = RecordEvent.safeParse(event);
      return [data.position, eventPayload(data)];
    }),
  );
}

const BATCH_MAX = 200;

interface Waiting {
  settlement: Settlement;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Records outcomes, one statement at a time: those that arrive during one share the next. */
export class Settlements {
  readonly #db: Kysely<Database>;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Resolves when recorded. Rejects if the statement failed. */
  add(settlement: Settlement): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ settlement, resolve, reject });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX);
      try {
        await settle(
          this.#db,
          batch.map(({ settlement }) => settlement),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
