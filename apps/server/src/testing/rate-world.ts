import type { Exchange, ExchangeAnswer } from '@roster/api/hosting';
import { LEASE_MS, RateAgreement } from '../rate-agreement.ts';
import type { RatePolicy } from '../rate-limit.ts';

/** When a server is there, in milliseconds. */
export interface Life {
  startMs: number;
  endMs: number;
  /** Whether it says so when it goes. */
  isKilled: boolean;
  /** How long a statement is on its way to the database, and its answer back. */
  latencyMs: number;
  /** When its process stands still: what happens to it then happens when that is over. */
  still?: { fromMs: number; untilMs: number };
}

/** One request that was let through. */
export interface Admitted {
  atMs: number;
  cost: number;
}

const EVERY_MS = 300;
const PAUSE_MS = 20;

interface Server {
  life: Life;
  agreement: RateAgreement;
  /** Begins the next exchange, unless one is under way. */
  wake: () => void;
}

/** Servers, and a database that decides as `exchange_rates` does, on a clock that moves only from event to event. */
export class RateWorld {
  now = 0;
  readonly admitted: Admitted[] = [];
  refused = 0;
  exchanges = 0;
  /** What was spent at servers that were killed and told nobody, at most. */
  lost = 0;
  isDatabaseAway = false;
  readonly #policy: RatePolicy;
  readonly #servers: Server[];
  #events: { atMs: number; act: () => void }[] = [];
  readonly #seen = new Map<number, { atMs: number; isAlone: boolean }>();
  readonly #spentUntil = new Map<string, number>();

  constructor(policy: RatePolicy, lives: Life[]) {
    this.#policy = policy;
    this.#servers = lives.map((life, index) => this.#serverOf(life, index));
  }

  at(atMs: number, act: () => void): void {
    this.#events.push({ atMs, act });
  }

  /** The same, of something that happens to a server. */
  #on({ still }: Life, atMs: number, act: () => void): void {
    this.at(still && atMs >= still.fromMs && atMs < still.untilMs ? still.untilMs : atMs, act);
  }

  run(untilMs: number): void {
    for (;;) {
      const next = this.#events.reduce<number>(
        (best, { atMs }, index) => (atMs < (this.#events[best]?.atMs ?? Infinity) ? index : best),
        -1,
      );
      const [event] = next < 0 ? [] : this.#events.splice(next, 1);
      if (event === undefined || event.atMs > untilMs) return;
      this.now = Math.max(this.now, event.atMs);
      event.act();
    }
  }

  /** As after a crash of PostgreSQL, which keeps nothing of unlogged tables. */
  forget(): void {
    this.#seen.clear();
    this.#spentUntil.clear();
  }

  /** A request to a server; where that is not there, to nobody. */
  request(atMs: number, index: number, cost = 1): void {
    const server = this.#servers[index % this.#servers.length];
    if (server === undefined) return;
    this.#on(server.life, atMs, () => {
      if (this.now < server.life.startMs || this.now >= server.life.endMs) return;
      server.agreement.take('ana', cost, ({ isAllowed }) => {
        if (isAllowed) this.admitted.push({ atMs: this.now, cost });
        else this.refused += 1;
      });
    });
  }

  #serverOf(life: Life, index: number): Server {
    const server: Server = {
      life,
      agreement: new RateAgreement({
        policy: this.#policy,
        nowMs: () => this.now,
        onUrgent: () => server.wake(),
      }),
      wake: () => undefined,
    };
    this.at(life.startMs, () => this.#exchange(server, index));
    this.at(life.endMs, () => (life.isKilled ? this.#lose(index) : this.#leave(server, index)));
    return server;
  }

  #exchange(server: Server, index: number): void {
    const { life, agreement } = server;
    if (this.now >= life.endMs) return;
    server.wake = () => undefined;
    const sent = agreement.next();
    this.exchanges += 1;
    this.at(this.now + life.latencyMs, () => {
      const answer = this.isDatabaseAway ? undefined : this.#decide(index, sent);
      this.#on(life, this.now + life.latencyMs, () => {
        if (this.now >= life.endMs && life.isKilled) return;
        if (answer === undefined) agreement.failed(sent);
        else agreement.agreed(sent, answer);
        this.#on(life, this.now + PAUSE_MS, () => this.#rest(server, index));
      });
    });
  }

  #rest(server: Server, index: number): void {
    let isOver = false;
    server.wake = () => {
      if (!isOver) this.#exchange(server, index);
      isOver = true;
    };
    this.#on(server.life, this.now + (server.agreement.isUrgent() ? 0 : EVERY_MS), server.wake);
  }

  /** One that shares has given on credit what it has not said; one that is alone, or hands over, knows everything. */
  #lose(index: number): void {
    const { quota, windowMs } = this.#policy;
    this.lost += this.#seen.get(index)?.isAlone === false ? (quota * 1_000) / windowMs : quota;
  }

  #leave({ agreement }: Server, index: number): void {
    const sent = agreement.next();
    const answer = this.#decide(index, sent);
    agreement.agreed(sent, answer);
    this.#seen.delete(index);
  }

  #decide(index: number, { isEntering, claimsAlone, reports }: Exchange): ExchangeAnswer {
    const isLive = (atMs: number | undefined) => atMs !== undefined && atMs > this.now - LEASE_MS;
    const isKnown = isEntering || isLive(this.#seen.get(index)?.atMs);
    const rest = [...this.#seen].filter(([other, { atMs }]) => other !== index && isLive(atMs));
    const isAlone = isKnown && claimsAlone && (rest.length === 0 || !isEntering);
    if (isKnown) this.#seen.set(index, { atMs: this.now, isAlone });
    if (isEntering && rest.length > 0) for (const [other] of rest) this.#servers[other]?.wake();
    return {
      isKnown,
      others: rest.length,
      isAlone,
      isJoinable: !rest.some(([, other]) => other.isAlone),
      isQuiet: isEntering && ![...this.#spentUntil.values()].some((until) => until > this.now),
      grants: isKnown ? reports.map((report) => this.#grant(report)) : [],
    };
  }

  #grant({ caller, aheadMs, spent, wanted }: Exchange['reports'][number]): ExchangeAnswer['grants'][number] {
    const { quota, windowMs } = this.#policy;
    const intervalMs = windowMs / quota;
    const kept = Math.min((this.#spentUntil.get(caller) ?? 0) - this.now, windowMs + 1_000);
    const ahead = Math.max(kept, aheadMs, 0) + spent * intervalMs;
    const granted = Math.max(0, Math.min(wanted, Math.floor((windowMs - ahead) / intervalMs + 0.01)));
    this.#spentUntil.set(caller, this.now + ahead + granted * intervalMs);
    return { caller, granted, aheadMs: ahead + granted * intervalMs };
  }
}
