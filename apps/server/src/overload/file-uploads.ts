import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyRequest } from 'fastify';
import { callerKey } from '../http/identity.ts';
import { toResponseError } from '../http/problem-details.ts';
import { KeyedCounter } from './keyed-counter.ts';
import { toBodyError } from './request-bodies.ts';
import type { ConcurrencyLimit } from './running-requests.ts';

/** Files that one caller, and all, send at once: fewer than there are connections, of which each takes one for each piece. */
export const UPLOADS = { perCallerMax: 2, max: 8 };

/** The bytes of a file as they arrive, none without a body. Throws `bad_request` if it ends too early, or cannot be decompressed. */
export async function* bytesOf(body: Readable | undefined): AsyncGenerator<Uint8Array> {
  try {
    if (body !== undefined) yield* body;
  } catch (error) {
    throw toResponseError(toBodyError(error as Error));
  }
}

/**
 * Receives files. Unlike another body, a file is not kept in memory: it goes into the database as it arrives, as fast as that takes it.
 * The number of files is bounded here, for each caller and for all.
 */
export class FileUploads {
  readonly #concurrency: ConcurrencyLimit;
  readonly #byCaller = new KeyedCounter();
  #count = 0;

  constructor(concurrency: ConcurrencyLimit) {
    this.#concurrency = concurrency;
  }

  /** Runs a request that receives a file. Rejects with `rate_limited` or `overloaded` while too many do. */
  async run<Result>(request: FastifyRequest, receive: () => Promise<Result>): Promise<Result> {
    const caller = callerKey(request);
    if (this.#byCaller.get(caller) >= UPLOADS.perCallerMax) {
      const detail = `${UPLOADS.perCallerMax} files of this key are being received already.`;
      throw new RosterError('rate_limited', detail, { retryAfter: 1 });
    }
    if (this.#count >= UPLOADS.max || !this.#concurrency.admit(request.raw, () => undefined))
      throw new RosterError('overloaded');
    this.#byCaller.add(caller);
    this.#count += 1;
    try {
      return await receive();
    } finally {
      this.#byCaller.subtract(caller);
      this.#count -= 1;
    }
  }
}
