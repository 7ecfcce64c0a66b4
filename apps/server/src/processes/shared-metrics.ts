import type { Worker } from 'node:cluster';
import { setTimeout } from 'node:timers/promises';
import type { AggregatorRegistry } from 'prom-client';
import { type MetricsServer, serveMetrics } from '../observability/metrics/server.ts';
import type { Address, FromPrimary, ProcessMetrics, ToPrimary } from './messages.ts';

/** After this time a scrape uses the last metrics of a process; Prometheus waits for ten seconds. */
const ANSWER_MS = 2_000;

/**
 * The metrics of all processes as those of one server. What an ended process counted goes on counting, because a counter that falls
 * looks to Prometheus as if all of it had happened again.
 */
export class SharedMetrics implements AsyncDisposable {
  readonly #running: Iterable<Worker>;
  /** The last metrics of each process. */
  readonly #latest = new Map<Worker, ProcessMetrics>();
  readonly #waiting = new Map<number, () => void>();
  /** The counts of processes that have ended. */
  #ended: Promise<ProcessMetrics> = Promise.resolve([]);
  #scrapes = 0;
  #server: Promise<MetricsServer> | undefined;

  /** @param running the processes that run, at any time */
  constructor(running: Iterable<Worker>) {
    this.#running = running;
  }

  /** Serves the metrics, for the first process that asks for it, and tells each that does where. */
  async serve(worker: Worker, at: Address): Promise<void> {
    this.#server ??= this.#listen(at);
    try {
      sendTo(worker, { type: 'metricsServed', url: (await this.#server).url });
    } catch (error) {
      const { message, code, syscall } = error as NodeJS.ErrnoException;
      sendTo(worker, { type: 'metricsFailed', error: { message, code, syscall } });
    }
  }

  /** A process has answered a scrape. */
  answered(worker: Worker, { scrape, metrics }: Extract<ToPrimary, { type: 'metrics' }>): void {
    this.#latest.set(worker, metrics);
    this.#waiting.get(scrape)?.();
  }

  /** A process has ended: what it counted until its last answer stays. */
  ended(worker: Worker): void {
    const counted = this.#latest.get(worker)?.filter(({ type }) => countedTypes.has(String(type)));
    this.#latest.delete(worker);
    if (counted === undefined) return;
    this.#ended = this.#ended.then(async (before) =>
      (await sumMetrics([before, counted])).getMetricsAsJSON(),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const server = await this.#server?.catch(() => undefined);
    await server?.[Symbol.asyncDispose]();
  }

  async #listen(at: Address): Promise<MetricsServer> {
    const { Registry } = await import('prom-client');
    return serveMetrics({ contentType: Registry.PROMETHEUS_CONTENT_TYPE, metrics: () => this.#scrape() }, at);
  }

  async #scrape(): Promise<string> {
    await Promise.all(Array.from(this.#running, (worker) => this.#ask(worker)));
    const running = [...this.#latest.values()];
    const sum = await sumMetrics([...running, await this.#ended]);
    return sum.metrics();
  }

  async #ask(worker: Worker): Promise<void> {
    this.#scrapes += 1;
    const scrape = this.#scrapes;
    const answered = Promise.withResolvers<void>();
    this.#waiting.set(scrape, answered.resolve);
    const timeout = new AbortController();
    sendTo(worker, { type: 'scrape', scrape });
    worker.once('exit', answered.resolve);
    const late = setTimeout(ANSWER_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
    await Promise.race([answered.promise, late]);
    timeout.abort();
    worker.off('exit', answered.resolve);
    this.#waiting.delete(scrape);
  }
}

const countedTypes = new Set(['counter', 'histogram', 'summary']);

async function sumMetrics(
  metrics: ProcessMetrics[],
): Promise<ReturnType<typeof AggregatorRegistry.aggregate>> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate(metrics);
}

/** A process that has ended meanwhile gets nothing, and its exit is an event of its own. */
function sendTo(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
