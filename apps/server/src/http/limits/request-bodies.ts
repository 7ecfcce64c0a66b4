import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import { waitForCapacity } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerKey } from '../identity.ts';
import type { RunningRequests } from './running-requests.ts';
import { Share } from './share.ts';

export interface BodyLimits {
  perCallerMax: number;
  bytesMax: number;
}

export const LIMITS: BodyLimits = { perCallerMax: 100, bytesMax: 32 * 1024 * 1024 };
/** 0.5 MB for zstd, less for other codings. */
const DECODER_BYTES = 512 * 1024;
/** A body may be sent byte by byte: each chunk counts. */
const CHUNK_BYTES = 256;
/** The largest body takes some 15 ms to parse, and waits for capacity. */
const WAIT_MIN_BYTES = 64 * 1024;
const BYTES_OF_UNIT = 1_000;

type Done = (rejection: Error | null, body: Buffer) => void;
type Parse = (bytes: Buffer, request: FastifyRequest) => unknown;

/** A request holds no slot until its body has arrived; the memory that it uses meanwhile is bounded by caller and in total. */
export class RequestBodies {
  readonly #running: RunningRequests;
  readonly #perCallerMax: number;
  readonly #bytes: Share;
  readonly #underWay: Share;

  constructor(running: RunningRequests, limits: Partial<BodyLimits> = {}) {
    const { perCallerMax, bytesMax } = { ...LIMITS, ...limits };
    this.#running = running;
    this.#perCallerMax = perCallerMax;
    this.#underWay = new Share({ perKeyMax: perCallerMax });
    this.#bytes = new Share({ max: bytesMax });
  }

  /** Calls `done` once: with the body when the request has its slot, or with the error. `payload` is decompressed. */
  receive(request: FastifyRequest, payload: Readable, done: Done): void {
    const caller = callerKey(request);
    const max = request.routeOptions.bodyLimit;
    const chunks: Buffer[] = [];
    let size = 0;
    let held = payload === request.raw ? 0 : DECODER_BYTES;
    if (Number(request.headers['content-length']) > max) return void done(tooLarge(max), nothing);
    if (!this.#underWay.allows(caller)) return void done(this.#tooMany(), nothing);
    if (!this.#bytes.allows(caller, held)) return void done(memoryExhausted(), nothing);
    this.#underWay.take(caller);
    this.#bytes.take(caller, held);
    const release = () => this.#bytes.release(caller, held);
    const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError);
    const settle = (rejection?: Error) => {
      stop();
      this.#underWay.release(caller);
      if (rejection !== undefined) release();
      done(rejection ?? null, rejection === undefined ? Buffer.concat(chunks, size) : nothing);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > max) return settle(tooLarge(max));
      const memory = chunk.length + CHUNK_BYTES;
      if (!this.#bytes.allows(caller, memory)) return settle(memoryExhausted());
      this.#bytes.take(caller, memory);
      held += memory;
      chunks.push(chunk);
    };
    const onEnd = () => {
      stop();
      if (!this.#running.admit(request.raw, release)) return settle(new RosterError('overloaded'));
      const capacity = size < WAIT_MIN_BYTES ? undefined : waitForCapacity(size / BYTES_OF_UNIT);
      if (capacity === undefined) settle();
      else void capacity.then(() => settle());
    };
    const onError = (error: Error) => settle(toBodyError(error));
    payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
  }

  #tooMany(): RosterError {
    const detail = `${this.#perCallerMax} request bodies of this key are being received already.`;
    return new RosterError('rate_limited', detail, { retryAfter: 1 });
  }

  /** Accepts only these media types in a scope. What `parse` throws rejects the request. */
  parseIn(scope: FastifyInstance, types: string[], parse: Parse): void {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(types, (request, payload, done) => {
      this.receive(request, payload, (rejection, bytes) => {
        if (rejection !== null) return done(rejection);
        try {
          done(null, parse(bytes, request));
        } catch (error) {
          done(error as Error);
        }
      });
    });
  }
}

const nothing: Buffer = Buffer.alloc(0);

function tooLarge(max: number): RosterError {
  return new RosterError('payload_too_large', `The body may have at most ${max / 1_024} KiB.`);
}

function memoryExhausted(): RosterError {
  return new RosterError('overloaded', 'The request bodies of this key use all the memory that they may.');
}

export function toBodyError(error: Error): Error {
  const isOfConnection = 'code' in error && error.code === 'ECONNRESET';
  return isOfConnection ? new RosterError('bad_request', 'The body is incomplete.', { cause: error }) : error;
}
