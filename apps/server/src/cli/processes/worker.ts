import { inspectLocalPostgres } from '@roster/db';
import type { Config } from '../../config/config.ts';
import { createLogger, logDestination } from '../../observability/logger.ts';
import type { ServeMetrics } from '../../observability/metrics/server.ts';
import { startServer } from '../../server.ts';
import { listenForStop } from '../stop-signals.ts';

/** Lets the primary process serve these metrics together with those of the other processes. */
const reportMetrics: ServeMetrics = async (registry) => {
  const { AggregatorRegistry } = await import('prom-client');
  AggregatorRegistry.setRegistries([registry]);
  // It listens for the requests of the primary process.
  void new AggregatorRegistry();
  return { url: '', [Symbol.asyncDispose]: async () => undefined };
};

/**
 * Serves as one of the processes that the primary process has started, until it is told to stop.
 *
 * @returns the exit code
 * @throws if it cannot start, such as when the local PostgreSQL does not run
 */
export async function serveAsWorker(config: Config): Promise<number> {
  const stop = Promise.withResolvers<unknown>();
  // A second signal is for the primary process, with which this one ends.
  listenForStop(stop.resolve, () => undefined);
  const log = createLogger(config.logLevel, logDestination(config.logFormat, { isShared: true }));
  const connection = config.databaseUrl ?? (await inspectLocalPostgres(config.dataDir)).running;
  if (connection === undefined) throw new Error('The local PostgreSQL of the primary process does not run.');
  await using _ = await startServer({ config, connection, log, serveMetrics: reportMetrics });
  await stop.promise;
  return 0;
}
