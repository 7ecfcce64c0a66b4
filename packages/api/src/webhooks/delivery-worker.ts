import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type Database, startPolling } from '@roster/db';
import type { Kysely } from 'kysely';
import type { EventNotifier } from '../events/notifier.ts';
import { readEvents } from '../events/repository.ts';
import { Event } from '../events/schemas.ts';
import { Capacity } from './capacity.ts';
import {
  type Claimed,
  claimDue,
  giveBack,
  LEASE_MS,
  noteHealth,
  noteSpeed,
  type Outcome,
  pause,
  settle,
} from './delivery-queue.ts';
import { makeDeliveries } from './fan-out.ts';
import { type Answer, isSuccess, type Message, type Sender } from './http-sender.ts';
import { type Payload, payloadOf, signed } from './message.ts';
import { isAskedToWait, RETRY_DELAYS_MS, retryDelay } from './retry-schedule.ts';
import { disableWebhook } from './service.ts';

export interface DeliveryWorkerOptions {
  db: Kysely<Database>;
  notifier: EventNotifier;
  sender: Sender;
  now: () => Date;
  /** How long to wait after each failed attempt; one attempt more than there are delays. */
  retryDelaysMs?: readonly number[] | undefined;
  /** Undelivered deliveries of one webhook at most; the rest waits in the log. 1,000 unless given. */
  backlogMax?: number | undefined;
  /** How often to look without having heard of anything: 1,000 ms unless given. */
  pollMs?: number | undefined;
  /** How long closing waits for what is on its way: 3,000 ms unless given. */
  graceMs?: number | undefined;
  /**
   * How long after claiming a delivery it may still be sent: 10,000 ms unless given. With the time an attempt may take
   * that is less than the lease, so that a server which stood still sends nothing that another has taken over. What may
   * not be sent any more is given back.
   */
  sendWithinMs?: number | undefined;
  /** An attempt that takes longer is slow, and so is its webhook until one does not: 1,000 ms unless given. */
  slowAfterMs?: number | undefined;
  /** Told of what failed beside the receivers; it is tried again by itself. */
  onFailure: (error: unknown) => void;
}

export interface Deliverer {
  /**
   * Stops; what is on its way gets a moment, and is then given back, to another server or the next start. Idempotent.
   */
  close(): Promise<void>;
}

export const BACKLOG_MAX = 1_000;
const POLL_MS = 1_000;
/** On their way at once to one webhook, on all servers together. */
export const AT_ONCE_PER_WEBHOOK = 10;
/** Between two rounds, so that many events, or many answers, share one. */
const PAUSE_MS = 25;
const GRACE_MS = 3_000;
const SEND_WITHIN_MS = 10_000;
export const SLOW_AFTER_MS = 1_000;
/** Before what the database could not be told, or asked, is tried again. */
const INSIST_EVERY_MS = 250;

/**
 * Tells webhooks of events for as long as it is open. Any number of servers may do so at once: each delivery is made by
 * one of them, and by another if that one dies.
 */
export function startDeliveryWorker(options: DeliveryWorkerOptions): Deliverer {
  const {
    db,
    notifier,
    sender,
    backlogMax = BACKLOG_MAX,
    pollMs = POLL_MS,
    graceMs = GRACE_MS,
    sendWithinMs = SEND_WITHIN_MS,
    onFailure,
  } = options;
  const cut = new AbortController();
  const running = new Set<Promise<void>>();
  const capacity = new Capacity();
  /** Claims that may have been made, though the database did not come to say so, and until when they hold. */
  const unheard = new Map<string, number>();

  function begin(claimed: Claimed, sendUntilMs: number): void {
    const place = capacity.take({ isTroubled: claimed.isFailing || claimed.isSlow });
    const onSlow = () => {
      place.turnSlow();
      polling.wake();
    };
    const delivering = deliver(claimed, { ...options, sender, sendUntilMs, signal: cut.signal, onSlow })
      .catch(onFailure)
      .finally(() => {
        place.free();
        running.delete(delivering);
        polling.wake();
      });
    running.add(delivering);
  }

  async function round(): Promise<void> {
    await makeDeliveries(db, { backlogMax });
    await forget();
    const { left } = capacity;
    if (left.count + left.firstCount === 0) return;
    const sendUntilMs = performance.now() + sendWithinMs;
    const claim = randomUUID();
    unheard.set(claim, performance.now() + LEASE_MS);
    const due = await claimDue(db, { claim, left, perWebhook: AT_ONCE_PER_WEBHOOK });
    unheard.delete(claim);
    for (const claimed of due) begin(claimed, sendUntilMs);
  }

  /** Until its lease is over: a statement whose connection broke may go on, and commit at any time. */
  async function forget(): Promise<void> {
    if (unheard.size === 0) return;
    for (const claim of await giveBack(db, [...unheard.keys()])) unheard.delete(claim);
    for (const [claim, untilMs] of unheard) if (performance.now() > untilMs) unheard.delete(claim);
  }

  const polling = startPolling(round, { intervalMs: pollMs, pauseMs: PAUSE_MS, onError: onFailure });
  const unsubscribe = notifier.subscribe(polling.wake);
  async function end(): Promise<void> {
    unsubscribe();
    await polling.stop();
    await forget().catch(onFailure);
    const grace = new AbortController();
    await Promise.race([
      Promise.all(running),
      setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    cut.abort();
    await Promise.all(running);
  }

  let ended: Promise<void> | undefined;
  return {
    close: () => {
      ended ??= end();
      return ended;
    },
  };
}

interface Delivering {
  db: Kysely<Database>;
  sender: Sender;
  now: () => Date;
  retryDelaysMs?: readonly number[] | undefined;
  slowAfterMs?: number | undefined;
  /** Told when the attempt has become slow, at most once. */
  onSlow: () => void;
  /** By a clock that is never set: afterwards another server may have taken the delivery over. */
  sendUntilMs: number;
  /** Fires when there is no more time. */
  signal: AbortSignal;
  onFailure: (error: unknown) => void;
}

/** Makes one attempt, and notes what came of it; a database that is away for a moment is told when it is back. */
async function deliver(claimed: Claimed, options: Delivering): Promise<void> {
  const { db, now, sendUntilMs, signal, onFailure } = options;
  const insistently = insisting({ signal, onFailure });
  const unsent = () =>
    insistently(() => settle(db, claimed, { outcome: { status: 'pending', retryInMs: 0 } }));
  let payload: Payload | undefined;
  try {
    payload = await insistently(() => payloadAt(db, claimed.position), sendUntilMs - performance.now());
  } catch (error) {
    onFailure(error);
    await unsent();
    return;
  }
  if (payload === undefined) {
    // The log keeps the newest event of each record, so that another delivery tells of this one's record.
    await insistently(() => settle(db, claimed, { outcome: { status: 'superseded' } }));
    return;
  }
  // Given back, or it would keep its place among those on their way until its lease is over.
  if (performance.now() >= sendUntilMs) {
    await unsent();
    return;
  }
  const answer = await timed(claimed, signed(payload, claimed, now()), options);
  if (signal.aborted && answer.attempt.status === null) {
    await unsent();
    return;
  }
  const delaysMs = options.retryDelaysMs ?? RETRY_DELAYS_MS;
  await insistently(() => note(db, claimed, { answer, delaysMs, now: now() }));
}

/**
 * Sends a message, and notes of the webhook whether that is slow: while it is under way, because what is begun next for the
 * webhook is bounded by it. Where the note fails, the next attempt makes it.
 */
async function timed(
  { webhookId, isSlow: wasSlow }: Claimed,
  message: Message,
  { db, sender, signal, slowAfterMs = SLOW_AFTER_MS, onSlow, onFailure }: Delivering,
): Promise<Answer> {
  const noteChange = async (isSlow: boolean) => {
    if (isSlow !== wasSlow) await noteSpeed(db, { webhookId, isSlow }).catch(onFailure);
  };
  let noted: Promise<void> | undefined;
  const timer = globalThis.setTimeout(() => {
    onSlow();
    noted = noteChange(true);
  }, slowAfterMs);
  const answer = await sender.send(message, { signal });
  clearTimeout(timer);
  await (noted ?? noteChange(false));
  return answer;
}

/**
 * Does again what fails, for as long as the lease lasts that begins now, or for less. What is not noted would keep its
 * place among those on their way until the end of the lease, and be sent twice.
 */
function insisting({ signal, onFailure }: Pick<Delivering, 'signal' | 'onFailure'>) {
  const startMs = performance.now();
  return async <Result>(work: () => Promise<Result>, forMs = LEASE_MS): Promise<Result> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || performance.now() + INSIST_EVERY_MS > startMs + forMs) throw error;
        onFailure(error);
        await setTimeout(INSIST_EVERY_MS);
      }
    }
  };
}

/** The message about the event at a position; undefined where the log has compacted it. */
async function payloadAt(db: Kysely<Database>, position: number): Promise<Payload | undefined> {
  const { items } = await readEvents(db, { after: position - 1, limit: 1 });
  const [event] = items;
  if (event?.position !== position) return undefined;
  // What is shown would be refused there is better sent as it is than never.
  const { data = event } = Event.safeParse(event);
  return payloadOf(data);
}

async function note(
  db: Kysely<Database>,
  claimed: Claimed,
  { answer, delaysMs, now }: { answer: Answer; delaysMs: readonly number[]; now: Date },
): Promise<void> {
  const { attempt, retryAfterMs } = answer;
  const { webhookId } = claimed;
  const isWell = isSuccess(attempt.status);
  const failed = { count: claimed.attempts + 1, status: attempt.status, retryAfterMs };
  const retryInMs = isWell ? undefined : retryDelay(failed, delaysMs);
  // First, so that the next round already knows it; a delivery that waits for its retry cannot come before.
  if (retryInMs !== undefined && isAskedToWait(failed)) await pause(db, { webhookId, timeMs: retryInMs });
  if (attempt.status === 410)
    await disableWebhook(db, { id: webhookId, reason: 'The receiver answered 410 Gone.', now });
  if (isWell === claimed.isFailing) await noteHealth(db, { webhookId, isWell });
  await settle(db, claimed, { outcome: outcomeOf(isWell, retryInMs), attempt });
}

function outcomeOf(isWell: boolean, retryInMs: number | undefined): Outcome {
  if (isWell) return { status: 'delivered' };
  return retryInMs === undefined ? { status: 'failed' } : { status: 'pending', retryInMs };
}
