import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import { waitForCapacity } from '@roster/api/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { callerKey } from '../http/identity.ts';
import { ByteBudget } from './byte-budget.ts';
import { KeyedCounter } from './keyed-counter.ts';
import type { ConcurrencyLimit } from './running-requests.ts';

export interface BodyLimits {
  /** Request bodies of one caller that are received at once. */
  perCallerMax: number;
  /** Bytes of the bodies of all requests that are being received or served. */
  bytesMax: number;
}

export const LIMITS: BodyLimits = { perCallerMax: 100, bytesMax: 32 * 1024 * 1024 };
/** The memory of the decoder of a compressed body: 0.5 MB for zstd, less for the others. */
export const DECODER_BYTES = 512 * 1024;
const BUFFER_MIN_BYTES = 4_096;
/** A body of this size is parsed when there is capacity: to parse the largest takes some 15 ms. */
const WAIT_MIN_BYTES = 64 * 1024;
/** Bytes of JSON that take as long to parse as one unit of work. */
const BYTES_OF_UNIT = 1_000;

type Done = (rejection: Error | null, body: Buffer) => void;
type Parse = (bytes: Buffer, request: FastifyRequest) => unknown;

/**
 * Receives request bodies. A request holds no slot of the concurrency limit until its body has arrived; the memory that it
 * uses meanwhile is bounded here, by the number of bodies of each caller, and by the bytes of each caller and of all. Every
 * route with a body authenticates the caller first, but those of the sign-in, whose callers are not known.
 */
export class RequestBodies {
  readonly #concurrency: ConcurrencyLimit;
  readonly #perCallerMax: number;
  readonly #budget: ByteBudget;
  /** Bodies that are being received, by caller. */
  readonly #underWay = new KeyedCounter();

  constructor(concurrency: ConcurrencyLimit, limits: Partial<BodyLimits> = {}) {
    const { perCallerMax, bytesMax } = { ...LIMITS, ...limits };
    this.#concurrency = concurrency;
    this.#perCallerMax = perCallerMax;
    this.#budget = new ByteBudget(bytesMax);
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#budget.total;
  }

  /**
   * Receives one body; `payload` is the decompressed stream. Calls `done` once: with the whole body when the request has
   * its slot of the concurrency limit, or with the error for which it is rejected.
   */
  receive(request: FastifyRequest, payload: Readable, done: Done): void {
    const caller = callerKey(request);
    const max = request.routeOptions.bodyLimit;
    if (Number(request.headers['content-length']) > max) return void done(tooLarge(), nothing);
    if (this.#underWay.get(caller) >= this.#perCallerMax)
      return void done(tooManyBodies(this.#perCallerMax), nothing);
    const decoderBytes = payload === request.raw ? 0 : DECODER_BYTES;
    if (!this.#budget.allows(caller, decoderBytes)) return void done(memoryExhausted(), nothing);
    this.#underWay.add(caller);
    this.#budget.hold(caller, decoderBytes);
    const body = new Body();
    const release = () => this.#budget.release(caller, body.size + decoderBytes);
    const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError);
    const settle = (rejection?: Error) => {
      stop();
      this.#underWay.subtract(caller);
      if (rejection !== undefined) release();
      done(rejection ?? null, body.bytes());
    };
    const onData = (chunk: Buffer) => {
      if (body.size + chunk.length > max) return settle(tooLarge());
      if (!this.#budget.allows(caller, chunk.length)) return settle(memoryExhausted());
      this.#budget.hold(caller, chunk.length);
      body.append(chunk);
    };
    const onEnd = () => {
      stop();
      if (!this.#concurrency.admit(request.raw, release)) return settle(overloaded());
      const capacity = body.size < WAIT_MIN_BYTES ? undefined : waitForCapacity(body.size / BYTES_OF_UNIT);
      if (capacity === undefined) settle();
      else void capacity.then(() => settle());
    };
    const onError = (error: Error) => settle(toBodyError(error));
    payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
  }

  /** Lets a scope take bodies of these media types alone, each parsed when it is received. What `parse` throws rejects the request. */
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

/**
 * The bytes of a body, copied into one buffer that doubles as they arrive: kept as separate chunks, a body that is sent byte
 * by byte would take two hundred times its size.
 */
class Body {
  size = 0;
  #buffer: Buffer = nothing;

  append(chunk: Buffer): void {
    const size = this.size + chunk.length;
    if (this.size === 0) {
      this.#buffer = chunk;
    } else {
      if (size > this.#buffer.length) this.#grow(size);
      chunk.copy(this.#buffer, this.size);
    }
    this.size = size;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.size);
  }

  #grow(size: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#buffer.length, BUFFER_MIN_BYTES));
    this.#buffer.copy(larger, 0, 0, this.size);
    this.#buffer = larger;
  }
}

function tooLarge(): RosterError {
  return new RosterError('payload_too_large', 'Request body is too large.');
}

function tooManyBodies(max: number): RosterError {
  const detail = `${max} request bodies of this key are being received already.`;
  return new RosterError('rate_limited', detail, { retryAfter: 1 });
}

function memoryExhausted(): RosterError {
  return new RosterError('overloaded', 'The request bodies of this key use all the memory that they may.');
}

function overloaded(): RosterError {
  return new RosterError('overloaded');
}

/** The error of a body whose stream has failed: if the client has disconnected `bad_request`, else that of the decoder. */
export function toBodyError(error: Error): Error {
  const isOfConnection = 'code' in error && error.code === 'ECONNRESET';
  return isOfConnection ? new RosterError('bad_request', 'The body is incomplete.', { cause: error }) : error;
}
