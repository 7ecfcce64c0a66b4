import { type Answer, openWire, type Wire } from '../../../bench/src/wire.ts';

/** What came of a load. */
export interface Outcome {
  seconds: number;
  /** Requests that were due. */
  offered: number;
  /** Milliseconds from when each request was due to its answer of success, where that came in time. */
  goodMs: number[];
  /** The same for the answers with status 503. */
  rejectedMs: number[];
  /** Answers whose client had disconnected. */
  late: number;
  /** Requests that were due while every connection was busy, and were never sent. */
  unsent: number;
  /** Anything else, in words, and how often. */
  failures: Map<string, number>;
}

export interface Load {
  port: number;
  connections: number;
  seconds: number;
  next: () => string;
}

const TIMEOUT_MS = 2_000;
const TICK_MS = 1;
const LATE_CHECK_MS = 50;

/** Clients that each leave when they are not answered in time, and come again on a new connection. */
class Clients {
  readonly outcome: Outcome = {
    seconds: 0,
    offered: 0,
    goodMs: [],
    rejectedMs: [],
    late: 0,
    unsent: 0,
    failures: new Map(),
  };
  readonly #port: number;
  readonly #free: Wire[] = [];
  readonly #busy = new Map<Wire, number>();
  #isOver = false;
  onFree: () => void = () => undefined;

  constructor(port: number) {
    this.#port = port;
  }

  async open(connections: number): Promise<void> {
    await Promise.all(Array.from({ length: connections }, () => this.#connect()));
  }

  async #connect(): Promise<void> {
    let wire: Wire | undefined;
    const lost = (error: Error) => {
      if (this.#isOver || wire === undefined) return;
      this.#busy.delete(wire);
      this.#fail(error.message);
      void this.#connect();
    };
    try {
      wire = await openWire(this.#port, lost);
      this.#free.push(wire);
    } catch (error) {
      this.#fail(String(error));
    }
  }

  /** Sends a request that was due at a time, where a connection is free. */
  send(request: string, dueMs: number): boolean {
    const wire = this.#free.pop();
    if (wire === undefined) return false;
    this.#busy.set(wire, dueMs);
    wire.send(request, (answer) => {
      if (!this.#busy.delete(wire)) return;
      this.#take(answer, performance.now() - dueMs);
      this.#free.push(wire);
      this.onFree();
    });
    return true;
  }

  #take({ status, body }: Answer, ms: number): void {
    if (this.#isOver) return;
    if (status < 300) this.outcome.goodMs.push(ms);
    else if (status === 503 && body.includes('overloaded')) this.outcome.rejectedMs.push(ms);
    else this.#fail(`${status} ${body.toString('utf8', 0, 200)}`);
  }

  #fail(reason: string): void {
    const { failures } = this.outcome;
    failures.set(reason, (failures.get(reason) ?? 0) + 1);
  }

  /** Closes the connections of requests that have waited too long, and opens others. */
  closeLate(): void {
    const now = performance.now();
    for (const [wire, dueMs] of this.#busy) {
      if (now - dueMs < TIMEOUT_MS) continue;
      this.#busy.delete(wire);
      this.outcome.late += 1;
      wire.close();
      void this.#connect();
    }
  }

  close(): void {
    this.#isOver = true;
    for (const wire of [...this.#free, ...this.#busy.keys()]) wire.close();
  }
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A closed loop: every connection asks again as soon as it is answered. The most that is answered so is the peak. */
export async function closedLoop({ port, connections, seconds, next }: Load): Promise<Outcome> {
  const clients = new Clients(port);
  await clients.open(connections);
  const ask = () => {
    const now = performance.now();
    if (clients.send(next(), now)) clients.outcome.offered += 1;
  };
  clients.onFree = ask;
  const started = performance.now();
  for (let n = 0; n < connections; n += 1) ask();
  const lateCheck = setInterval(() => clients.closeLate(), LATE_CHECK_MS);
  await sleep(seconds * 1_000);
  clearInterval(lateCheck);
  clients.close();
  return { ...clients.outcome, seconds: (performance.now() - started) / 1_000 };
}

/** An open loop: requests come at a rate, whatever becomes of those before; each takes any connection that is free. */
export async function openLoop(load: Load & { ratePerS: number }): Promise<Outcome> {
  const { port, connections, seconds, next, ratePerS } = load;
  const clients = new Clients(port);
  const { outcome } = clients;
  await clients.open(connections);
  const started = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    const due = Math.min(((now - started) / 1_000) * ratePerS, seconds * ratePerS);
    for (; outcome.offered < due; outcome.offered += 1) {
      const dueMs = started + (outcome.offered / ratePerS) * 1_000;
      if (!clients.send(next(), dueMs)) outcome.unsent += 1;
    }
  }, TICK_MS);
  const lateCheck = setInterval(() => clients.closeLate(), LATE_CHECK_MS);
  await sleep(seconds * 1_000);
  clearInterval(ticking);
  clearInterval(lateCheck);
  clients.close();
  return { ...outcome, seconds: (performance.now() - started) / 1_000 };
}
