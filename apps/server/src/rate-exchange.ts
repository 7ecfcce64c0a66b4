import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { exchangeRates, forgetRates, leaveRates } from '@roster/api/hosting';
import { type ConnectOptions, connect } from '@roster/db';
import { LEASE_MS, RateAgreement, type Sent } from './rate-agreement.ts';
import type { RatePolicy } from './rate-limit.ts';

export interface RateLimitsOptions {
  connection: ConnectOptions['connection'];
  policy: RatePolicy;
  /** Told when the database stops answering; it is asked again by itself. */
  onFailure: (error: unknown) => void;
}

/** What callers may ask of all servers of a database together. */
export interface RateLimits extends Pick<RateAgreement, 'take' | 'peek'> {
  policy: RatePolicy;
  /** To be called when another server came: it waits for this one. */
  look(): void;
  /** Says the last and goes; whatever waits is decided by what this server knows. */
  close(): Promise<void>;
}

/** Without anybody waiting: a part of the lease, so that one that is late is still in time. */
const EVERY_MS = 300;
/** Between two exchanges at least, so that all who wait meanwhile share the next. */
const PAUSE_MS = 20;
const STATEMENT_MS = 1_000;
const FORGET_EVERY_MS = 60_000;

/**
 * Keeps a server in agreement with the others about what callers have spent, for as long as it is open. However many
 * requests there are, the database sees a few exchanges a second, on a connection of their own, so that they wait for
 * nothing else; each holds what all callers spent meanwhile.
 */
export function openRateLimits({ connection, policy, onFailure }: RateLimitsOptions): RateLimits {
  const db = connect({
    connection,
    connectionsMax: 1,
    pipelines: 1,
    statementTimeoutMs: STATEMENT_MS,
    connectTimeoutMs: STATEMENT_MS,
    silenceTimeoutMs: STATEMENT_MS * 1.25,
  });
  const closing = new AbortController();
  let called = Promise.withResolvers<void>();
  const look = () => called.resolve();
  const agreement = new RateAgreement({ policy, nowMs: () => performance.now(), onUrgent: look });
  const { quota, windowMs } = policy;
  const terms = { server: randomUUID(), leaseMs: LEASE_MS, intervalMs: windowMs / quota, windowMs };

  async function exchange(): Promise<void> {
    const sent: Sent = agreement.next();
    const answer = await exchangeRates(db, sent, terms).catch((error: unknown) => {
      if (sent.mode !== 'away' && !closing.signal.aborted) onFailure(error);
      return undefined;
    });
    if (answer === undefined) agreement.failed(sent);
    else agreement.agreed(sent, answer);
  }

  async function keepExchanging(): Promise<void> {
    let forgotMs = performance.now();
    while (!closing.signal.aborted) {
      called = Promise.withResolvers<void>();
      await exchange();
      if (performance.now() - forgotMs > FORGET_EVERY_MS) {
        forgotMs = performance.now();
        await forgetRates(db).catch(() => undefined);
      }
      await setTimeout(PAUSE_MS);
      if (!agreement.isUrgent()) await Promise.race([rest(closing.signal), called.promise]);
    }
  }

  const exchanging = keepExchanging();
  return {
    policy,
    take: (caller, cost, decide) => agreement.take(caller, cost, decide),
    peek: (caller, cost) => agreement.peek(caller, cost),
    look,
    close: async () => {
      closing.abort();
      await exchanging;
      await exchange();
      await leaveRates(db, terms.server).catch(() => undefined);
      await db.destroy();
    },
  };
}

async function rest(signal: AbortSignal): Promise<void> {
  await setTimeout(EVERY_MS, undefined, { signal }).catch(() => undefined);
}
