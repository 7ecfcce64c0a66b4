import cluster, { type Worker } from 'node:cluster';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { createLogger, isPretty, logDestination } from '../observability/logger.ts';
import type { ToPrimary } from './messages.ts';
import { SharedDatabase } from './shared-database.ts';
import { SharedMetrics } from './shared-metrics.ts';
import {
  DATABASE_STOP_MS,
  exitCodeOf,
  listenForStop,
  SAME_SIGNAL_MS,
  STOPPED_AT_ONCE,
  type StopSignal,
  stoppingText,
} from './stop-signals.ts';
import { welcome } from './welcome.ts';

type Listening = Extract<ToPrimary, { type: 'listening' }>;

/** The end of a process. */
interface End {
  /** The exit code, or that of the signal. */
  code: number;
  signal: NodeJS.Signals | null;
  livedMs: number;
}

const FAILED = 1;
/** The longest time in which processes may end after a second signal. */
const KILL_MS = 3_000;
/** A process that has listened for so long is replaced at once. */
const STABLE_MS = 10_000;
const PAUSE_MIN_MS = 250;
const PAUSE_MAX_MS = 30_000;

interface WorkerListener {
  /** Called when the process has ended, and once more if it could not be started. */
  onEnded: (end: End) => void;
  /** Called with each message but that it listens. */
  onMessage: (message: ToPrimary) => void;
}

/** Follows a process from its start to its end. Resolves when it listens; never, if it ends before. */
function followWorker(worker: Worker, { onEnded, onMessage }: WorkerListener): Promise<Listening> {
  const listens = Promise.withResolvers<Listening>();
  let listenedMs: number | undefined;
  const ended = (code: number, signal: NodeJS.Signals | null) => {
    const livedMs = listenedMs === undefined ? 0 : performance.now() - listenedMs;
    onEnded({ code: signal === null ? code : exitCodeOf(signal), signal, livedMs });
  };
  worker.on('exit', ended);
  // It could not be started at all.
  worker.on('error', () => ended(FAILED, null));
  worker.on('message', (message: ToPrimary) => {
    if (message.type !== 'listening') return onMessage(message);
    listenedMs = performance.now();
    listens.resolve(message);
  });
  return listens.promise;
}

/** Does what a process asks of the primary process. */
function handleMessage(
  worker: Worker,
  message: ToPrimary,
  { database, metrics }: { database: SharedDatabase; metrics: SharedMetrics },
): void {
  if (message.type === 'openDatabase') void database.open(worker, message.dataDir);
  else if (message.type === 'serveMetrics') void metrics.serve(worker, message.at);
  // Node.js sends messages of its own too, such as those of `--watch`.
  else if (message.type === 'metrics') metrics.answered(worker, message);
}

interface EndOptions {
  printError: (line: string) => void;
  signalAll: (signal: NodeJS.Signals) => void;
  allEnded: Promise<void>;
  database: SharedDatabase;
}

/** Ends all processes after a second signal, those that do not end by it after a time, and then this process. */
async function endAtOnce(
  signal: StopSignal,
  { printError, signalAll, allEnded, database }: EndOptions,
): Promise<void> {
  printError(STOPPED_AT_ONCE);
  signalAll(signal);
  // A process that got the first signal a moment later takes this one for the same.
  void setTimeout(SAME_SIGNAL_MS).then(() => signalAll(signal));
  await Promise.race([allEnded, setTimeout(KILL_MS)]);
  signalAll('SIGKILL');
  await Promise.race([database[Symbol.asyncDispose](), setTimeout(DATABASE_STOP_MS)]);
  process.exit(exitCodeOf(signal));
}

/**
 * Runs a server of several processes. Each is a whole server on the same port; this one, the primary process, handles no request. It
 * starts the local PostgreSQL when one of them asks for it, and stops it after them. It starts the first process, which migrates and
 * prints why it cannot start, and then the others; it replaces each that ends, hands on signals to stop, and ends after all of them. If
 * it is killed, Node.js ends the others.
 *
 * @returns the exit code: 0 if all processes stopped in order
 */
export async function runProcesses(
  count: number,
  { print, printError }: Record<'print' | 'printError', (line: string) => void>,
): Promise<number> {
  const running = new Set<Worker>();
  await using metrics = new SharedMetrics(running);
  await using database = new SharedDatabase((message) => isStarted && printError(`  ${message}`));
  const stopping = new AbortController();
  const failed = Promise.withResolvers<void>();
  const allEnded = Promise.withResolvers<void>();
  let stopSignal: StopSignal | undefined;
  let isStarted = false;
  let exitCode = 0;
  let pauseMs = 0;
  let log: Logger | undefined;
  /** That of the first process, for the others. */
  let port: string | undefined;

  const signalAll = (signal: NodeJS.Signals) => {
    for (const worker of running) worker.process.kill(signal);
  };
  const stopAll = (signal: StopSignal) => {
    stopSignal = signal;
    stopping.abort();
    signalAll(signal);
    if (running.size === 0) allEnded.resolve();
  };

  /** Starts a process; resolves when it listens. */
  function start(): Promise<Listening> {
    const worker = cluster.fork({
      ROSTER_PROCESSES: String(count),
      ...(port !== undefined && { PORT: port }),
    });
    running.add(worker);
    return followWorker(worker, {
      onEnded(end) {
        if (!running.delete(worker)) return;
        metrics.ended(worker);
        onEnded(worker, end);
      },
      onMessage: (message) => handleMessage(worker, message, { database, metrics }),
    });
  }

  function onEnded(worker: Worker, { code, signal, livedMs }: End): void {
    if (stopSignal !== undefined) {
      // A process that is just being started does not listen for signals yet.
      if (signal !== stopSignal) exitCode ||= code;
      if (running.size === 0) allEnded.resolve();
    } else if (isStarted) {
      pauseMs = livedMs >= STABLE_MS ? 0 : Math.min(Math.max(2 * pauseMs, PAUSE_MIN_MS), PAUSE_MAX_MS);
      const line = { process: worker.process.pid, exitCode: code, signal, pauseMs };
      log?.error(line, 'a process of this server has ended, and is replaced');
      void replace();
    } else {
      exitCode = code || FAILED;
      if (signal !== null) printError(`Roster cannot serve: one of its processes was ended by ${signal}.`);
      failed.resolve();
    }
  }

  async function replace(): Promise<void> {
    await setTimeout(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopSignal !== undefined) return;
    try {
      const { pid } = await start();
      log?.info({ process: pid }, 'a process that replaces another listens');
    } catch (err) {
      // The system has no memory for a process, which may also be why the other has ended.
      pauseMs = PAUSE_MAX_MS;
      log?.error({ err, pauseMs }, 'a process of this server cannot be started');
      await replace();
    }
  }

  async function startAll(): Promise<void> {
    const { service, log: settings } = await start();
    port = new URL(service.url).port || '80';
    log = createLogger(settings.logLevel, logDestination(settings.logFormat, { isShared: true }));
    if (stopSignal !== undefined) return;
    await Promise.all(Array.from({ length: count - 1 }, start));
    if (stopSignal !== undefined) return;
    isStarted = true;
    (isPretty(settings.logFormat) ? print : printError)(welcome(service));
  }

  listenForStop(
    (signal) => {
      printError(stoppingText(signal));
      stopAll(signal);
    },
    (signal) => void endAtOnce(signal, { printError, signalAll, allEnded: allEnded.promise, database }),
  );
  await Promise.race([startAll(), failed.promise, allEnded.promise]);
  if (!isStarted && stopSignal === undefined) stopAll('SIGTERM');
  await allEnded.promise;
  return exitCode;
}
