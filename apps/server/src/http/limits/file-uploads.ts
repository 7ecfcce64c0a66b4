import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import type { FastifyRequest } from 'fastify';
import { callerKey } from '../identity.ts';
import { toResponseError } from '../problem-details.ts';
import { toBodyError } from './request-bodies.ts';
import type { RunningRequests } from './running-requests.ts';
import { Share } from './share.ts';

/** Fewer than there are connections: each file takes one for each piece. The last places are for callers that hold none. */
export const UPLOADS = { perCallerMax: 2, max: 8, forOthers: 2 };

const perKeyMax = (free: number) => (free > UPLOADS.forOthers ? UPLOADS.perCallerMax : 1);

export async function* bytesOf(body: Readable | undefined): AsyncGenerator<Uint8Array> {
  try {
    if (body !== undefined) yield* body;
  } catch (error) {
    throw toResponseError(toBodyError(error as Error));
  }
}

/** Bounds the files that are received at once. A file goes into the database as it arrives, and never into memory as a whole. */
export class FileUploads {
  readonly #running: RunningRequests;
  readonly #underWay = new Share({ max: UPLOADS.max, perKeyMax });

  constructor(running: RunningRequests) {
    this.#running = running;
  }

  async run<Result>(request: FastifyRequest, receive: () => Promise<Result>): Promise<Result> {
    const caller = callerKey(request);
    if (this.#underWay.heldBy(caller) >= UPLOADS.perCallerMax) {
      const detail = `${UPLOADS.perCallerMax} files of this key are being received already.`;
      throw new RosterError('rate_limited', detail, { retryAfter: 1 });
    }
    if (!this.#underWay.allows(caller) || !this.#running.admit(request.raw, () => undefined))
      throw new RosterError('overloaded');
    this.#underWay.take(caller);
    try {
      return await receive();
    } finally {
      this.#underWay.release(caller);
    }
  }
}
