import cluster from 'node:cluster';
import process from 'node:process';
import { type LocalPostgres, LocalPostgresUnavailable } from '@roster/db';
import type { Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { createLogger, logDestination } from '../observability/logger.ts';
import type { MetricsServer } from '../observability/metrics/server.ts';
import type { Address, FromPrimary, ToPrimary } from './messages.ts';
import { startSteps } from './progress-line.ts';
import { serveUntilStopped } from './serve-until-stopped.ts';

/** If the primary process has ended, Node.js ends this one too. */
const send = (message: ToPrimary) => process.send?.(message, undefined, undefined, () => undefined);

/**
 * Serves as one process of several, each of which is a whole server: the primary process has started it, hands it the signals to
 * stop, and prints once what is told to people.
 *
 * @param printError writes the steps of the start, which only the first process tells, and later those of the local PostgreSQL
 * @returns the exit code
 */
export function serveAsOneOfSeveral(config: Config, printError: (line: string) => void): Promise<number> {
  const { logLevel, logFormat } = config;
  const isFirst = cluster.worker?.id === 1;
  let isListening = false;
  const steps = startSteps(printError);
  return serveUntilStopped(
    config,
    {
      announce: ({ close: _, ...service }) => {
        isListening = true;
        steps.end();
        send({ type: 'listening', pid: process.pid, service, log: { logLevel, logFormat } });
      },
      progress: (message) => {
        if (isFirst || isListening) steps.tell(message);
      },
      stopping: () => undefined,
    },
    {
      isFirst,
      log: createLogger(logLevel, logDestination(logFormat, { isShared: true })),
      serveMetrics: serveByPrimary,
      openLocalPostgres: openByPrimary,
    },
  );
}

/** Lets the primary process start the local PostgreSQL, and stop it when all processes have ended. */
async function openByPrimary({ dataDir }: { dataDir: string }): Promise<LocalPostgres> {
  const opened = Promise.withResolvers<Omit<LocalPostgres, 'close'>>();
  const onMessage = (message: FromPrimary) => {
    if (message.type === 'databaseOpened') opened.resolve(message.database);
    else if (message.type === 'databaseFailed') opened.reject(new LocalPostgresUnavailable(message.message));
  };
  process.on('message', onMessage);
  send({ type: 'openDatabase', dataDir });
  const database = await opened.promise.finally(() => process.off('message', onMessage));
  return { ...database, close: async () => undefined };
}

/** Lets the primary process serve these metrics together with those of the other processes. */
async function serveByPrimary(registry: Registry, at: Address): Promise<MetricsServer> {
  const served = Promise.withResolvers<string>();
  const onMessage = (message: FromPrimary) => {
    if (message.type === 'metricsServed') served.resolve(message.url);
    else if (message.type === 'metricsFailed') served.reject(Object.assign(new Error(), message.error));
    else if (message.type === 'scrape') void answerScrape(registry, message.scrape);
  };
  process.on('message', onMessage);
  send({ type: 'serveMetrics', at });
  return {
    url: await served.promise,
    [Symbol.asyncDispose]: async () => void process.off('message', onMessage),
  };
}

async function answerScrape(registry: Registry, scrape: number): Promise<void> {
  // No gauge of ours fails; if one of the process does, the primary goes on with the last metrics of this process.
  const metrics = await registry.getMetricsAsJSON().catch(() => undefined);
  if (metrics !== undefined) send({ type: 'metrics', scrape, metrics });
}
