import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import type { LocalPostgres } from '@roster/db';
import type { Config } from '../config/config.ts';
import { type Service, type StartOptions, startService } from '../server.ts';
import {
  DATABASE_STOP_MS,
  exitCodeOf,
  listenForStop,
  STOPPED_AT_ONCE,
  type StopSignal,
  stoppingText,
} from './stop-signals.ts';

/** The receiver of what a server tells about itself: a terminal, or the primary process. */
export interface ServeOutput {
  /** Called when the server listens, unless it has been told to stop. */
  announce: (service: Service) => void;
  /** A step of the start, or an event of the local PostgreSQL. */
  progress: (message: string) => void;
  /** A stop has begun. */
  stopping: (message: string) => void;
}

/**
 * Starts the server, announces where it listens, and resolves when it has stopped after a signal, which may come during the start.
 * After a second signal it stops only the local PostgreSQL, and ends the process as the signal would.
 *
 * @returns the exit code: 0 if it stopped in order
 * @throws what startService throws
 */
export async function serveUntilStopped(
  config: Config,
  { announce, progress, stopping }: ServeOutput,
  options?: StartOptions,
): Promise<number> {
  let database: Promise<LocalPostgres> | undefined;
  const stop = Promise.withResolvers<StopSignal>();
  let isStopping = false;
  const onStop = (signal: StopSignal) => {
    isStopping = true;
    stopping(stoppingText(signal));
    stop.resolve(signal);
  };
  const onStopAgain = (signal: StopSignal) => {
    stopping(STOPPED_AT_ONCE);
    const code = exitCodeOf(signal);
    const stopped = database?.then((localPostgres) => localPostgres.close()).catch(() => undefined);
    void Promise.race([stopped, setTimeout(DATABASE_STOP_MS)]).then(() => process.exit(code));
  };
  listenForStop(onStop, onStopAgain);
  const starting = startService(config, {
    ...options,
    onProgress: progress,
    onDatabase: (localPostgres) => {
      database = localPostgres;
    },
  });
  let service: Service;
  try {
    service = await starting;
  } catch (error) {
    // Ctrl-C also ends the child processes of a start, such as initdb, so that the start fails.
    if (isStopping) return exitCodeOf(await stop.promise);
    throw error;
  }
  if (!isStopping) announce(service);
  await stop.promise;
  await service.close();
  return 0;
}
