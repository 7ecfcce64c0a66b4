import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answers.ts';
import { openWire, type Wire } from './wire.ts';

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
}

interface Target {
  port: number;
  /** One source for each connection. */
  sources: Source[];
  seconds: number;
}

class Counts {
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

/** Connections that are kept from one run to the next, each of which asks again as soon as it is answered. */
export interface ClosedLoop extends Disposable {
  /** Asks for so long, and waits for the answers that are under way then. */
  run(seconds: number): Promise<Outcome>;
}

/** Opens the connections of a closed loop. */
export async function openClosedLoop({ port, sources }: Omit<Target, 'seconds'>): Promise<ClosedLoop> {
  let counts = new Counts();
  const wires = await Promise.all(sources.map(() => openWire(port, (error) => counts.fail(error.message))));
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
    await sleep(seconds * 1_000);
    const elapsedS = (performance.now() - started) / 1_000;
    const { answers } = counts;
    isOver = true;
    // What is under way is waited for, so that the next load does not meet it; it does not count as throughput.
    await Promise.race([Promise.all(running), sleep(2_000)]);
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
const LATE_CHECK_MS = 50;
const ENDING_MS = 5_000;

/** What came of an open loop. */
export interface OpenOutcome extends Outcome {
  /** In milliseconds, from when the request of each good answer was due. */
  latenciesMs: number[];
  /** Requests that were due. */
  offered: number;
  /** Milliseconds from when each request was due to an answer with status 503, of clients that leave. */
  rejectedMs: number[];
  /** Answers whose client had left. */
  late: number;
  /** Requests that were due while every connection was busy, and were never sent. */
  unsent: number;
}

interface OpenTarget extends Target {
  ratePerS: number;
  /**
   * For how long a client waits for an answer; then it leaves, and comes again on a new connection. Without it all clients wait,
   * for a free connection too.
   */
  patienceMs?: number;
}

/**
 * An open loop: requests come at a rate, in ticks of a millisecond, whether or not the ones before are answered. A latency counts
 * from when its request was due, so that a server cannot hide a pause. With a patience it is a crowd that may ask for more than a server
 * can do: a request that finds no free connection is never sent.
 */
export async function openLoop(target: OpenTarget): Promise<OpenOutcome> {
  const { port, sources, seconds, ratePerS, patienceMs = Number.POSITIVE_INFINITY } = target;
  const isPatient = patienceMs === Number.POSITIVE_INFINITY;
  const counts = new Counts();
  const [latenciesMs, rejectedMs]: [number[], number[]] = [[], []];
  const [free, busy] = [[] as Wire[], new Map<Wire, number>()];
  const waiting: number[] = [];
  let [offered, sent, late, unsent, isOver] = [0, 0, 0, 0, false];
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
      if (isPatient) waiting.push(dueMs);
      else unsent += 1;
      return;
    }
    busy.set(wire, dueMs);
    wire.send((sources[sent % sources.length] as Source)(), (answer) => {
      if (!busy.delete(wire) || isOver) return;
      const tookMs = performance.now() - dueMs;
      if (answer.status === 503 && !isPatient) rejectedMs.push(tookMs);
      else counts.take(answer);
      if (answer.status < 300) latenciesMs.push(tookMs);
      free.push(wire);
      const next = waiting.shift();
      if (next !== undefined) send(next);
    });
    sent += 1;
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
  await sleep(seconds * 1_000);
  for (const timer of [ticking, leaving]) clearInterval(timer);
  const deadline = performance.now() + ENDING_MS;
  while (isPatient && busy.size > 0 && performance.now() < deadline) await sleep(LATE_CHECK_MS / 10);
  isOver = true;
  for (const wire of [...free, ...busy.keys()]) wire.close();
  return { ...counts, latenciesMs, answersInAll: counts.answers, seconds, offered, rejectedMs, late, unsent };
}
