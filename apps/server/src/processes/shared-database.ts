import type { Worker } from 'node:cluster';
import type { LocalPostgres } from '@roster/db/local-postgres';
import type { FromPrimary } from './messages.ts';

/** The local PostgreSQL of the primary process, which the others use: it goes on when one of them ends. */
export class SharedDatabase implements AsyncDisposable {
  readonly #onProgress: (message: string) => unknown;
  #opened: Promise<LocalPostgres> | undefined;

  /** @param onProgress called with each step of the start, and each event of the server */
  constructor(onProgress: (message: string) => unknown) {
    this.#onProgress = onProgress;
  }

  /** Starts the server for the first process that asks for it, and tells each that does how to connect. */
  async open(worker: Worker, dataDir: string): Promise<void> {
    this.#opened ??= this.#start(dataDir);
    const answer: FromPrimary = await this.#opened.then(
      ({ connection, directory }) => ({ type: 'databaseOpened', database: { connection, directory } }),
      (error) => ({ type: 'databaseFailed', message: error.message }),
    );
    // A process that has ended meanwhile gets nothing, and its exit is an event of its own.
    if (worker.isConnected()) worker.send(answer, () => undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }

  async #start(dataDir: string): Promise<LocalPostgres> {
    // Imported only now: with a database of its own this process needs nothing of it.
    const { startLocalPostgres } = await import('@roster/db/local-postgres');
    return startLocalPostgres({ dataDir, onProgress: this.#onProgress });
  }
}
