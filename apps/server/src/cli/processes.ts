import cluster from 'node:cluster';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { inspectLocalPostgres } from '@roster/db';
import type { Config } from '../config/config.ts';
import { reachable } from '../config/data-directory.ts';
import { createLogger, logDestination } from '../observability/logger.ts';
import { type MetricsServer, type ServeMetrics, serveMetrics } from '../observability/metrics/server.ts';
import { type Serve, ServeError, startServer } from '../server.ts';
import { listenForStop } from './stop-signals.ts';

/** A process that has listened this long is replaced at once. */
const STABLE_MS = 10_000;
/** Pauses before a process that ended earlier is replaced; each further early end doubles the pause. */
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 30_000;

/**
 * Every process of `node:cluster` is a whole server; the primary process replaces each that ends. Throws ServeError if one ends before
 * all listen.
 */
export const serveByProcesses: Serve = async ({ config, log }) => {
  const stopping = new AbortController();
  const listening = Promise.withResolvers<string>();
  const waiting = new Set<number>();
  let isStarted = false;

  async function keepProcess(slot: number): Promise<number> {
    for (let earlyEnds = 0; ; ) {
      const worker = cluster.fork();
      let listenedMs = Number.POSITIVE_INFINITY;
      worker.once('listening', (address: AddressInfo & { addressType: number }) => {
        listenedMs = performance.now();
        waiting.delete(slot);
        if (waiting.size === 0) listening.resolve(urlOf(address));
        if (isStarted) log.info({ process: worker.process.pid }, 'a process that replaces another listens');
      });
      const [exitCode, signal] = await once(worker, 'exit').catch(() => [1, null]);
      // A process that is still starting does not listen for signals yet.
      if (stopping.signal.aborted) return signal === 'SIGTERM' ? 0 : (exitCode ?? 1);
      const end = `process ${worker.process.pid} has ended (${signal ?? `exit code ${exitCode}`})`;
      if (!isStarted)
        listening.reject(new ServeError(`Roster cannot serve: its ${end} before all listened.`));
      const isStable = performance.now() - listenedMs >= STABLE_MS;
      earlyEnds = isStable ? 0 : earlyEnds + 1;
      const pauseMs = isStable ? 0 : Math.min(PAUSE_MIN_MS * 2 ** (earlyEnds - 1), PAUSE_MAX_MS);
      const line = { process: worker.process.pid, exitCode, signal, pauseMs };
      if (isStarted) log.error(line, 'a process of this server has ended, and is replaced');
      await setTimeout(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return 0;
    }
  }

  await using begun = new AsyncDisposableStack();
  const metricsUrl = config.metricsAt && begun.use(await serveSum(config.metricsAt)).url;
  process.once('exit', () => signalAll('SIGKILL'));
  const slots = Array.from({ length: config.processes }, (_, slot) => slot);
  for (const slot of slots) waiting.add(slot);
  const ended = slots.map(keepProcess);
  begun.defer(async () => {
    stopping.abort();
    signalAll('SIGTERM');
    const code = (await Promise.all(ended)).find((exitCode) => exitCode !== 0);
    if (isStarted && code !== undefined)
      throw new ServeError(`A process ended with code ${code} while the server stopped.`);
  });
  const url = await listening.promise;
  isStarted = true;
  const running = begun.move();
  return { url, metricsUrl, [Symbol.asyncDispose]: () => running.disposeAsync() };
};

function signalAll(signal: NodeJS.Signals): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal);
}

function urlOf({ address, addressType, port }: AddressInfo & { addressType: number }): string {
  return reachable(`http://${addressType === 6 ? `[${address}]` : address}:${port}`);
}

async function serveSum(at: NonNullable<Config['metricsAt']>): Promise<MetricsServer> {
  const { AggregatorRegistry } = await import('prom-client');
  const sum = new AggregatorRegistry();
  return serveMetrics({ contentType: sum.contentType, metrics: () => sum.clusterMetrics() }, at);
}

/** The primary process sums these metrics with those of the other processes. */
const reportMetrics: ServeMetrics = async (registry) => {
  const { AggregatorRegistry } = await import('prom-client');
  AggregatorRegistry.setRegistries([registry]);
  // It listens for the requests of the primary process.
  void new AggregatorRegistry();
  return { url: '', [Symbol.asyncDispose]: async () => undefined };
};

export async function serveAsWorker(config: Config): Promise<number> {
  const stop = Promise.withResolvers<unknown>();
  // The primary process handles a second signal, and takes this one with it.
  listenForStop(stop.resolve, () => undefined);
  const log = createLogger(config.logLevel, logDestination(config.logFormat, { isShared: true }));
  const connection = config.databaseUrl ?? (await inspectLocalPostgres(config.dataDir)).running;
  if (connection === undefined) throw new Error('The local PostgreSQL of the primary process does not run.');
  await using _ = await startServer({ config, connection, log, serveMetrics: reportMetrics });
  await stop.promise;
  return 0;
}
