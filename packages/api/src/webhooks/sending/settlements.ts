import type { Database } from '@roster/db';
import type { Kysely } from 'kysely';
import { type Settlement, settle } from '../delivery-queue.ts';

const BATCH_MAX = 200;

interface Waiting {
  settlement: Settlement;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Records outcomes, one statement at a time: those that arrive during one share the next. */
export class Settlements {
  readonly #db: Kysely<Database>;
  readonly #waiting: Waiting[] = [];
  #isRunning = false;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** Resolves when recorded. Rejects if the statement failed. */
  add(settlement: Settlement): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ settlement, resolve, reject });
    if (!this.#isRunning) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_MAX);
      try {
        await settle(
          this.#db,
          batch.map(({ settlement }) => settlement),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isRunning = false;
  }
}
