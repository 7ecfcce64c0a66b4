import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { startPolling } from '@roster/db';
import type { EventNotifier } from '../../log/notifier.ts';
import { type ClaimedDelivery, claimDue, LEASE_MS, release } from '../delivery-queue.ts';
import { DeliverySlots, ReceiverWindows, WINDOW_MIN } from '../delivery-slots.ts';
import { type AttemptOptions, attemptDelivery, payloadsFor, Settlements } from './delivery-attempt.ts';
import { enqueueDeliveries } from './fan-out.ts';

export interface DeliveryWorkerOptions
  extends Pick<AttemptOptions, 'db' | 'sender' | 'now' | 'retryDelaysMs' | 'slowAfterMs' | 'onFailure'> {
  notifier: EventNotifier;
  /** Pending deliveries per webhook; more events stay in the log. Defaults to 1,000. */
  backlogMax?: number | undefined;
  /** Poll interval without notifications. Defaults to 1,000 ms. */
  pollMs?: number | undefined;
  /** The time that `close` waits for running attempts. Defaults to 3,000 ms. */
  graceMs?: number | undefined;
  /**
   * The time after its claim to send a delivery. Defaults to 10,000 ms. With the timeout of an attempt it
   * is shorter than the lease, so that a suspended server sends nothing another has taken over.
   */
  sendWithinMs?: number | undefined;
}

export interface DeliveryWorker {
  /** Running attempts have `graceMs` to end, then are aborted for another server. Idempotent. */
  close(): Promise<void>;
}

const BACKLOG_MAX = 1_000;
const POLL_MS = 1_000;
/** Lets several events share a run. */
const PAUSE_MS = 25;
const GRACE_MS = 3_000;
const SEND_WITHIN_MS = 10_000;

/** Each delivery is made by one of any number of servers, or by another if that one dies. */
export function startDeliveryWorker(options: DeliveryWorkerOptions): DeliveryWorker {
  const { db, notifier, onFailure } = options;
  const { backlogMax = BACKLOG_MAX, pollMs = POLL_MS } = options;
  const { graceMs = GRACE_MS, sendWithinMs = SEND_WITHIN_MS } = options;
  const abort = new AbortController();
  const running = new Set<Promise<void>>();
  const slots = new DeliverySlots();
  const windows = new ReceiverWindows();
  const settlements = new Settlements(db);
  /** Claims whose statement failed but may still commit, with the end of their lease. */
  const unconfirmedClaims = new Map<string, number>();

  function start(deliveries: readonly ClaimedDelivery[], sendUntilMs: number): void {
    const common = { ...options, settlements, sendUntilMs, signal: abort.signal };
    const payloads = payloadsFor(deliveries, common);
    for (const claimed of deliveries) {
      const { webhookId, isFailing, isSlow } = claimed;
      const slot = slots.take({ isTroubled: isFailing || isSlow });
      let isQuick = true;
      const onSlow = () => {
        isQuick = false;
        slot.markSlow();
        claiming.wake();
      };
      const attempt = attemptDelivery(claimed, payloads, { ...common, onSlow })
        .then((isTaken) => {
          if (isTaken !== undefined) windows.record(webhookId, { isQuickSuccess: isTaken && isQuick });
        })
        .catch(onFailure)
        .finally(() => {
          slot.release();
          running.delete(attempt);
          claiming.wake();
          fanOut.wake();
        });
      running.add(attempt);
    }
  }

  async function claimNext(): Promise<void> {
    await releaseUnconfirmed();
    const { free } = slots;
    if (free.count + free.firstCount === 0) return;
    const sendUntilMs = performance.now() + sendWithinMs;
    const claim = randomUUID();
    unconfirmedClaims.set(claim, performance.now() + LEASE_MS);
    const due = await claimDue(db, { claim, free, perWebhook: WINDOW_MIN, grown: windows.sizes() });
    unconfirmedClaims.delete(claim);
    if (due.length > 0) start(due, sendUntilMs);
  }

  /** Until the lease ends, because a statement with a lost connection may commit later. */
  async function releaseUnconfirmed(): Promise<void> {
    if (unconfirmedClaims.size === 0) return;
    for (const claim of await release(db, [...unconfirmedClaims.keys()])) unconfirmedClaims.delete(claim);
    for (const [claim, untilMs] of unconfirmedClaims)
      if (performance.now() > untilMs) unconfirmedClaims.delete(claim);
  }

  // Concurrently, so that queued deliveries don't wait for new events.
  const pace = { intervalMs: pollMs, pauseMs: PAUSE_MS, onError: onFailure };
  const claiming = startPolling(claimNext, pace);
  const fanOut = startPolling(async () => {
    await enqueueDeliveries(db, { backlogMax });
    // Even without new events: an enabled webhook already has due deliveries.
    claiming.wake();
  }, pace);
  const unsubscribe = notifier.subscribe(fanOut.wake);

  async function stop(): Promise<void> {
    unsubscribe();
    await Promise.all([claiming.stop(), fanOut.stop()]);
    await releaseUnconfirmed().catch(onFailure);
    const grace = new AbortController();
    await Promise.race([
      Promise.all(running),
      setTimeout(graceMs, undefined, { signal: grace.signal }).catch(() => undefined),
    ]);
    grace.abort();
    abort.abort();
    await Promise.all(running);
  }

  let stopped: Promise<void> | undefined;
  return {
    close: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}
