import type { Exchange, ExchangeAnswer, RateReport } from '@roster/api/hosting';
import { createRateLimiter, type RateLimiter, type RatePolicy, type RateState } from './rate-limit.ts';

/** A server that was not seen for so long, by the clock of the database, counts as gone. */
export const LEASE_MS = 1_000;
/** For so long after it asked, a server relies on what it was told: less than the lease, however clocks drift. */
const VALID_MS = 800;
/** Requests waiting at once; more are decided by what this server knows. */
const WAITING_MAX = 10_000;
/** Callers in one exchange. */
const REPORTS_MAX = 1_000;

type Decide = (state: RateState) => void;

interface Waiting {
  cost: number;
  decide: Decide;
}

/**
 * What a server goes by. `alone`: there is nobody else, so it decides by itself. `sharing`: callers spend on credit or
 * by grants. `away`: the database does not answer, so it decides by itself, too. `entering` and `joining`: it is about to
 * know, and requests wait.
 */
type Mode = 'entering' | 'alone' | 'joining' | 'sharing' | 'away';

/** An exchange under way, and what it was made of. */
export interface Sent extends Exchange {
  mode: Mode;
  sentAtMs: number;
  waiting: Map<string, Waiting[]>;
}

export interface AgreementOptions {
  policy: RatePolicy;
  /** Milliseconds of a clock that is never set. */
  nowMs: () => number;
  /** Told when a request begins to wait for an exchange. */
  onUrgent?: () => void;
}

/**
 * Limits callers together with any number of other servers. The database holds the one account of each caller; a server
 * lets a caller spend on credit and says so with the next exchange, and asks first once the credit is used up. The
 * credits of all servers together are one second's worth of the quota, and that is by how much a caller can exceed it.
 * One server by itself needs no account: it decides at once, in memory, and hands over what it knows when it is not
 * alone any more. A newcomer decides nothing until that has been done, and gives no credit until everybody knows of it.
 */
export class RateAgreement {
  readonly #policy: RatePolicy;
  readonly #intervalMs: number;
  readonly #nowMs: () => number;
  readonly #onUrgent: () => void;
  readonly #ledger: RateLimiter;
  /** Requests let through on credit that the database is not known to know of. */
  readonly #owed = new Map<string, number>();
  /** Callers of whom the database may know less than this server does. */
  #unmerged = new Set<string>();
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  #mode: Mode = 'entering';
  #validUntilMs = Number.NEGATIVE_INFINITY;
  #creditFromMs = Number.POSITIVE_INFINITY;
  #others = 0;
  #othersSeenMs = Number.NEGATIVE_INFINITY;

  constructor({ policy, nowMs, onUrgent = () => undefined }: AgreementOptions) {
    this.#policy = policy;
    this.#intervalMs = policy.windowMs / policy.quota;
    this.#nowMs = nowMs;
    this.#onUrgent = onUrgent;
    this.#ledger = createRateLimiter(policy, nowMs);
  }

  /** Decides on requests of a caller: at once, or after the next exchange. */
  take(caller: string, cost: number, decide: Decide): void {
    const mode = this.#modeNow();
    if (mode === 'alone' || mode === 'away') decide(this.#ledger.take(caller, cost));
    else this.#takeTogether(caller, { cost, decide });
  }

  /**
   * What this server would answer without asking the others, and without counting anything. The others only ever leave a
   * caller less, so a rejection is final.
   */
  peek(caller: string, cost: number): RateState {
    return this.#ledger.look(caller, cost);
  }

  #takeTogether(caller: string, one: Waiting): void {
    const state = this.#ledger.look(caller, one.cost);
    const isOnCredit = (this.#owed.get(caller) ?? 0) + one.cost <= this.#credit();
    // Others only ever make it less, so that a refusal needs no asking.
    if (!state.isAllowed) one.decide(state);
    else if (!isOnCredit && this.#waitingCount < WAITING_MAX) this.#wait(caller, one);
    else {
      this.#owe(caller, one.cost);
      one.decide(this.#ledger.take(caller, one.cost));
    }
  }

  /** Whether the next exchange should not wait. */
  isUrgent(): boolean {
    const mode = this.#modeNow();
    return mode === 'entering' || mode === 'joining' || this.#waiting.size > 0 || this.#unmerged.size > 0;
  }

  /** What to say to the others next; `agreed` or `failed` has to follow before the next one. */
  next(): Sent {
    const mode = this.#modeNow();
    const sent = { mode, sentAtMs: this.#nowMs(), reports: [], waiting: new Map() };
    if (mode === 'entering' || mode === 'away') return { ...sent, isEntering: true, claimsAlone: true };
    if (mode === 'alone') return { ...sent, isEntering: false, claimsAlone: true };
    const taken = this.#takeReports({ isGranting: mode === 'sharing' });
    const isLeftAlone =
      mode === 'sharing' &&
      this.#others === 0 &&
      this.#nowMs() - this.#othersSeenMs > this.#policy.windowMs &&
      this.#unmerged.size === 0;
    // While there is more to hand over than fits, the others keep waiting for it.
    return {
      ...sent,
      ...taken,
      isEntering: isLeftAlone,
      claimsAlone: isLeftAlone || this.#unmerged.size > 0,
    };
  }

  /** The others have been told. */
  agreed(sent: Sent, answer: ExchangeAnswer): void {
    if (!answer.isKnown) {
      this.#takeBack(sent);
      this.#mode = 'entering';
      return;
    }
    const now = this.#nowMs();
    this.#validUntilMs = sent.sentAtMs + VALID_MS;
    this.#settle(sent, answer);
    const mode = this.#modeAfter(sent, answer);
    this.#others = answer.others;
    if (answer.others > 0) this.#othersSeenMs = now;
    this.#enter(mode, now);
  }

  /** The database did not answer; until it does, every server is on its own. */
  failed(sent: Sent): void {
    this.#takeBack(sent);
    this.#enter('away', this.#nowMs());
  }

  #modeAfter({ mode, isEntering }: Sent, { isAlone, isQuiet, isJoinable, others }: ExchangeAnswer): Mode {
    if (mode === 'alone') return others === 0 ? 'alone' : 'joining';
    // What others left behind still counts, until a window has passed without them; they may be about to come back, too.
    if (mode === 'entering' || mode === 'away') {
      return isAlone && isQuiet && this.#others === 0 ? 'alone' : 'joining';
    }
    if (mode === 'joining') return isJoinable && this.#unmerged.size === 0 ? 'sharing' : 'joining';
    return isEntering && isAlone ? 'alone' : 'sharing';
  }

  #enter(mode: Mode, now: number): void {
    const before = this.#mode;
    this.#mode = mode;
    if (mode === 'joining' && before !== 'joining') {
      this.#unmerged = new Set(this.#ledger.spenders());
      this.#othersSeenMs = now;
    }
    // By then, whoever gives credit has counted this server, or counts as gone.
    if (mode === 'sharing' && before !== 'sharing') this.#creditFromMs = now + LEASE_MS + VALID_MS;
    if (mode === 'alone' || mode === 'away') {
      if (mode === 'alone') this.#owed.clear();
      this.#release();
    }
  }

  /** What was agreed does not hold for ever: the process may have stood still, or the database. */
  #modeNow(): Mode {
    const isOver = this.#nowMs() >= this.#validUntilMs;
    if (isOver && (this.#mode === 'alone' || this.#mode === 'sharing')) this.#mode = 'entering';
    return this.#mode;
  }

  /** What this server may let a caller spend before it says so. */
  #credit(): number {
    if (this.#mode !== 'sharing' || this.#nowMs() < this.#creditFromMs) return 0;
    return Math.floor((this.#policy.quota * 1_000) / this.#policy.windowMs / (this.#others + 1));
  }

  #owe(caller: string, change: number): number {
    const owed = (this.#owed.get(caller) ?? 0) + change;
    if (owed === 0) this.#owed.delete(caller);
    else this.#owed.set(caller, owed);
    return owed;
  }

  #wait(caller: string, one: Waiting): void {
    const queue = this.#waiting.get(caller);
    if (queue === undefined) this.#waiting.set(caller, [one]);
    else queue.push(one);
    this.#waitingCount += 1;
    this.#onUrgent();
  }

  /** Decides on all that waits by what this server knows. */
  #release(): void {
    const queues = [...this.#waiting];
    this.#waiting.clear();
    this.#waitingCount = 0;
    for (const [caller, queue] of queues) {
      for (const { cost, decide } of queue) decide(this.#ledger.take(caller, cost));
    }
  }

  /** The next reports, those who wait first; who has nothing to say is not in them. */
  #takeReports({ isGranting }: { isGranting: boolean }): Pick<Sent, 'reports' | 'waiting'> {
    const asking = isGranting ? [...this.#waiting.keys()] : [];
    const callers = [...new Set([...asking, ...this.#unmerged, ...this.#owed.keys()])].slice(0, REPORTS_MAX);
    const waiting = new Map<string, Waiting[]>();
    const reports = callers.map((caller): RateReport => {
      const queue = (isGranting && this.#waiting.get(caller)) || [];
      if (queue.length > 0) waiting.set(caller, queue);
      if (isGranting) this.#waiting.delete(caller);
      const spent = this.#owed.get(caller) ?? 0;
      const isUnmerged = this.#unmerged.delete(caller);
      const aheadMs = isUnmerged ? Math.max(0, this.#ledger.aheadMs(caller) - spent * this.#intervalMs) : 0;
      return { caller, aheadMs, spent, wanted: queue.reduce((sum, { cost }) => sum + cost, 0) };
    });
    return { reports, waiting };
  }

  /** An exchange of which nothing came: what waited for it waits again, before what came later. */
  #takeBack({ waiting }: Pick<Sent, 'waiting'>): void {
    for (const [caller, queue] of waiting) {
      this.#waiting.set(caller, [...queue, ...(this.#waiting.get(caller) ?? [])]);
    }
  }

  #settle({ reports, waiting, sentAtMs }: Sent, { grants }: ExchangeAnswer): void {
    const spent = new Map(reports.map((report) => [report.caller, report.spent]));
    for (const { caller, granted, aheadMs } of grants) {
      const queue = waiting.get(caller) ?? [];
      waiting.delete(caller);
      const { admitted, refused, left } = shareOut(queue, granted);
      const owed = this.#owe(caller, -(spent.get(caller) ?? 0) - left);
      this.#ledger.learn(caller, aheadMs - (this.#nowMs() - sentAtMs) + owed * this.#intervalMs);
      this.#waitingCount -= queue.length;
      const state = this.#ledger.look(caller, 0);
      for (const { decide } of admitted) decide({ ...state, isAllowed: true, retryMs: 0 });
      for (const { cost, decide } of refused) {
        decide({ ...state, isAllowed: false, retryMs: this.#ledger.look(caller, cost).retryMs });
      }
    }
    // A caller whose account was being removed just then: the next exchange finds a new one.
    this.#takeBack({ waiting });
  }
}

/** Who of those that wait goes ahead, in the order they came; what is too much for the rest leaves room for less. */
function shareOut(
  queue: Waiting[],
  granted: number,
): Record<'admitted' | 'refused', Waiting[]> & { left: number } {
  const admitted: Waiting[] = [];
  const refused: Waiting[] = [];
  let left = granted;
  for (const one of queue) {
    if (one.cost <= left) {
      left -= one.cost;
      admitted.push(one);
    } else refused.push(one);
  }
  return { admitted, refused, left };
}
