import { type Answer, openWire, type Wire } from './wire.ts';

/** What one connection asks for next, as a whole request. */
export type Source = () => string;

/** What came of a load. */
export interface Outcome {
  /** Answers of success within the time. */
  answers: number;
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

async function wiresTo({ port, sources }: Target, counts: Counts): Promise<Wire[]> {
  const lost = (error: Error) => counts.fail(error.message);
  return Promise.all(sources.map(() => openWire(port, lost)));
}

/** A closed loop: every connection asks again as soon as it is answered. Its throughput is the peak. */
export async function closedLoop(target: Target): Promise<Outcome> {
  const counts = new Counts();
  const wires = await wiresTo(target, counts);
  const started = performance.now();
  let isOver = false;
  const running = wires.map((wire, index) => {
    const source = target.sources[index] as Source;
    return new Promise<void>((resolve) => {
      const ask = () => wire.send(source(), answered);
      const answered = (answer: Answer) => {
        if (isOver) return resolve();
        counts.take(answer);
        ask();
      };
      ask();
    });
  });
  await new Promise((resolve) => setTimeout(resolve, target.seconds * 1_000));
  const seconds = (performance.now() - started) / 1_000;
  const { answers } = counts;
  isOver = true;
  // What is under way is waited for, so that the next load does not meet it; it does not count.
  await Promise.race([Promise.all(running), new Promise((resolve) => setTimeout(resolve, 2_000))]);
  for (const wire of wires) wire.close();
  return { ...counts, answers, seconds };
}

const TICK_MS = 1;

/**
 * An open loop: requests come at a rate, whether or not the ones before are answered, and wait for a free connection
 * where there is none. A latency counts from when its request was due, so that a server cannot hide a pause.
 * Requests are sent in ticks of a millisecond.
 */
export async function openLoop(target: Target & { ratePerS: number }): Promise<Outcome> {
  const counts = new Counts();
  const wires = await wiresTo(target, counts);
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
  return { ...counts, latenciesMs: counts.latenciesMs, seconds: target.seconds };
}
