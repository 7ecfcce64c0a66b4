import { type Answer, openWire, type Wire } from './wire.ts';

/** What one connection asks for next, as a whole request. */
export type Source = () => string;

/** What came of a load. */
export interface Outcome {
  /** Answers of success within the time. */
  answers: number;
  /** The same, with those to requests that were under way at its end. */
  answersInAll: number;
  /** How long it took, in seconds. */
  seconds: number;
  /** Other answers and lost connections; the first of them in words. */
  failures: number;
  firstFailure: string | undefined;
  /** In milliseconds, one for each answer; only of an open loop. */
  latenciesMs: number[];
}

interface Target {
  port: number;
  /** One source for each connection. */
  sources: Source[];
  seconds: number;
}

class Counts {
  readonly latenciesMs: number[] = [];
  answers = 0;
  failures = 0;
  firstFailure: string | undefined;

  take({ status, body }: Answer): void {
    if (status >= 200 && status < 300) this.answers += 1;
    else this.fail(`${status} ${body.toString('utf8', 0, 300)}`);
  }

  fail(reason: string): void {
    this.failures += 1;
    this.firstFailure ??= reason;
  }
}

async function wiresTo(
  { port, sources }: Pick<Target, 'port' | 'sources'>,
  onLost: (error: Error) => void,
): Promise<Wire[]> {
  return Promise.all(sources.map(() => openWire(port, onLost)));
}

/** Connections that are kept from one run to the next, each of which asks again as soon as it is answered. */
export interface ClosedLoop extends Disposable {
  /** Asks for so long, and waits for the answers that are under way then. */
  run(seconds: number): Promise<Outcome>;
}

/** Opens the connections of a closed loop. */
export async function openClosedLoop({ port, sources }: Omit<Target, 'seconds'>): Promise<ClosedLoop> {
  let counts = new Counts();
  const wires = await wiresTo({ port, sources }, (error) => counts.fail(error.message));
  const run = async (seconds: number): Promise<Outcome> => {
    counts = new Counts();
    const started = performance.now();
    let isOver = false;
    const running = wires.map((wire, index) => {
      const source = sources[index] as Source;
      return new Promise<void>((resolve) => {
        const ask = () => wire.send(source(), answered);
        const answered = (answer: Answer) => {
          counts.take(answer);
          if (isOver) resolve();
          else ask();
        };
        ask();
      });
    });
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    const elapsedS = (performance.now() - started) / 1_000;
    const { answers } = counts;
    isOver = true;
    // What is under way is waited for, so that the next load does not meet it; it does not count as throughput.
    await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, 2_000))]);
    return { ...counts, answers, answersInAll: counts.answers, seconds: elapsedS };
  };
  return {
    run,
    [Symbol.dispose]: () => {
      for (const wire of wires) wire.close();
    },
  };
}

/** One run of a closed loop. Its throughput is the peak. */
export async function closedLoop({ seconds, ...target }: Target): Promise<Outcome> {
  using loop = await openClosedLoop(target);
  return await loop.run(seconds);
}

const TICK_MS = 1;

/**
 * An open loop: requests come at a rate, whether or not the ones before are answered, and wait for a free connection
 * where there is none. A latency counts from when its request was due, so that a server cannot hide a pause.
 * Requests are sent in ticks of a millisecond.
 */
export async function openLoop(target: Target & { ratePerS: number }): Promise<Outcome> {
  const counts = new Counts();
  const wires = await wiresTo(target, (error) => counts.fail(error.message));
  const free = wires.map((wire, index) => ({ wire, source: target.sources[index] as Source }));
  const due: number[] = [];
  let taken = 0;
  const send = () => {
    while (taken < due.length) {
      const connection = free.pop();
      if (connection === undefined) return;
      const dueAt = due[taken] as number;
      taken += 1;
      connection.wire.send(connection.source(), (answer) => {
        counts.take(answer);
        counts.latenciesMs.push(performance.now() - dueAt);
        free.push(connection);
        send();
      });
    }
  };
  const started = performance.now();
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const now = performance.now();
      const elapsedS = (now - started) / 1_000;
      if (elapsedS >= target.seconds) {
        clearInterval(timer);
        return resolve();
      }
      while (due.length < elapsedS * target.ratePerS) due.push(now);
      send();
    }, TICK_MS);
  });
  const deadline = performance.now() + 5_000;
  while (free.length < wires.length && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  for (const wire of wires) wire.close();
  return { ...counts, answersInAll: counts.answers, seconds: target.seconds };
}

/** What came of clients who leave. */
export interface CrowdOutcome extends Outcome {
  /** Requests that were due. */
  offered: number;
  /** Milliseconds from when each request was due to an answer with status 503. */
  rejectedMs: number[];
  /** Answers whose client had left. */
  late: number;
  /** Requests that were due while every connection was busy, and were never sent. */
  unsent: number;
}

interface Crowd extends Target {
  ratePerS: number;
  /** For how long a client waits for an answer; then it leaves, and comes again on a new connection. */
  patienceMs: number;
}

const LATE_CHECK_MS = 50;

/** An open loop of clients who do not wait for a free connection, nor for long for an answer: more than a server can do. */
export async function openCrowd(crowd: Crowd): Promise<CrowdOutcome> {
  const { port, sources, seconds, ratePerS, patienceMs } = crowd;
  const counts = new Counts();
  const rejectedMs: number[] = [];
  const [free, busy] = [[] as Wire[], new Map<Wire, number>()];
  let [offered, late, unsent, isOver] = [0, 0, 0, false];
  const connect = async () => {
    let wire: Wire | undefined;
    const lost = (error: Error) => {
      if (isOver || wire === undefined) return;
      busy.delete(wire);
      counts.fail(error.message);
      void connect();
    };
    wire = await openWire(port, lost).catch((error: Error) => void counts.fail(error.message));
    if (wire !== undefined) free.push(wire);
  };
  await Promise.all(sources.map(connect));
  const send = (dueMs: number) => {
    const wire = free.pop();
    if (wire === undefined) {
      unsent += 1;
      return;
    }
    busy.set(wire, dueMs);
    wire.send((sources[offered % sources.length] as Source)(), (answer) => {
      if (!busy.delete(wire) || isOver) return;
      const tookMs = performance.now() - dueMs;
      if (answer.status === 503) rejectedMs.push(tookMs);
      else counts.take(answer);
      if (answer.status < 300) counts.latenciesMs.push(tookMs);
      free.push(wire);
    });
  };
  const leave = () => {
    for (const [wire, dueMs] of busy) {
      if (performance.now() - dueMs < patienceMs) continue;
      busy.delete(wire);
      late += 1;
      wire.close();
      void connect();
    }
  };
  const started = performance.now();
  const ticking = setInterval(() => {
    const due = Math.min((performance.now() - started) / 1_000, seconds) * ratePerS;
    for (; offered < due; offered += 1) send(started + (offered / ratePerS) * 1_000);
  }, TICK_MS);
  const leaving = setInterval(leave, LATE_CHECK_MS);
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  for (const timer of [ticking, leaving]) clearInterval(timer);
  isOver = true;
  for (const wire of [...free, ...busy.keys()]) wire.close();
  return { ...counts, answersInAll: counts.answers, seconds, offered, rejectedMs, late, unsent };
}
