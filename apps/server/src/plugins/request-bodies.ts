import { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';
import { RosterError } from '@roster/api';
import { waitForCapacity } from '@roster/api/server';
import type { FastifyRequest } from 'fastify';
import { ByteBudget } from '../http/byte-budget.ts';
import { callerId } from './authentication.ts';
import type { Gate } from './concurrency-limit.ts';

export interface BodyLimits {
  /** Request bodies of one caller that are received at once. */
  perCallerMax: number;
  /** Bytes of the bodies of all requests that are being received or served. */
  bytesMax: number;
}

export const LIMITS: BodyLimits = { perCallerMax: 100, bytesMax: 32 * 1024 * 1024 };
/** What the decoder of a compressed body takes: 0.5 MB for zstd, less for the others. */
export const DECODER_BYTES = 512 * 1024;
const BUFFER_MIN_BYTES = 4_096;
/** A body of so many bytes waits for its turn to be read as JSON: the largest takes some 15 ms. */
const TURN_MIN_BYTES = 64 * 1024;
/** Bytes of JSON that take as long to read as a unit of work does. */
const BYTES_OF_UNIT = 1_000;

type Done = (rejection: Error | null, body: Buffer) => void;

/**
 * Receives the bodies of requests. A request whose body has not arrived holds no place in the concurrency limit; what it
 * does hold is bounded here: bodies under way for each caller, and bytes for each caller and in all. Every route that takes
 * a body authenticates its caller first, so nobody without a valid key gets here.
 */
export class RequestBodies {
  readonly #gate: Gate;
  readonly #perCallerMax: number;
  readonly #budget: ByteBudget;
  readonly #underWay = new Map<string, number>();

  constructor(gate: Gate, limits: Partial<BodyLimits> = {}) {
    const { perCallerMax, bytesMax } = { ...LIMITS, ...limits };
    this.#gate = gate;
    this.#perCallerMax = perCallerMax;
    this.#budget = new ByteBudget(bytesMax);
  }

  /** Bytes that are held now. */
  get bytes(): number {
    return this.#budget.total;
  }

  /**
   * Receives one body, decompressed where it came compressed. Calls `done` once: with all of it when the request has its
   * place in the concurrency limit, or with the reason for its rejection.
   */
  receive(request: FastifyRequest, payload: Readable, done: Done): void {
    const caller = callerId(request);
    const max = request.routeOptions.bodyLimit;
    if (Number(request.headers['content-length']) > max) return void done(tooLarge(), nothing);
    const count = (this.#underWay.get(caller) ?? 0) + 1;
    if (count > this.#perCallerMax) return void done(tooManyOf(this.#perCallerMax), nothing);
    const decoderBytes = payload === request.raw ? 0 : DECODER_BYTES;
    if (!this.#budget.allows(caller, decoderBytes)) return void done(noRoom(), nothing);
    this.#underWay.set(caller, count);
    this.#budget.hold(caller, decoderBytes);
    const body = new Body();
    const release = () => this.#budget.release(caller, body.size + decoderBytes);
    const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError);
    const settle = (rejection?: Error) => {
      stop();
      this.#ended(caller);
      if (rejection !== undefined) release();
      done(rejection ?? null, body.bytes());
    };
    const onData = (chunk: Buffer) => {
      if (body.size + chunk.length > max) return settle(tooLarge());
      if (!this.#budget.allows(caller, chunk.length)) return settle(noRoom());
      this.#budget.hold(caller, chunk.length);
      body.append(chunk);
    };
    const onEnd = () => {
      stop();
      if (!this.#gate.admit(request.raw, release)) return settle(overloaded());
      const turn = body.size < TURN_MIN_BYTES ? undefined : waitForCapacity(body.size / BYTES_OF_UNIT);
      if (turn === undefined) settle();
      else void turn.then(() => settle());
    };
    const onError = (error: Error) => settle(brokenOff(error));
    payload.on('data', onData).on('end', onEnd).on('error', onError).resume();
  }

  #ended(caller: string): void {
    const left = (this.#underWay.get(caller) ?? 1) - 1;
    if (left === 0) this.#underWay.delete(caller);
    else this.#underWay.set(caller, left);
  }
}

const nothing: Buffer = Buffer.alloc(0);

/**
 * The bytes of a body as they arrive. They are copied into one buffer that doubles: kept as they came, a body sent byte by
 * byte would take two hundred times its size.
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
    const grown = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#buffer.length, BUFFER_MIN_BYTES));
    this.#buffer.copy(grown, 0, 0, this.size);
    this.#buffer = grown;
  }
}

function tooLarge(): RosterError {
  return new RosterError('payload_too_large', 'Request body is too large.');
}

function tooManyOf(max: number): RosterError {
  const detail = `${max} request bodies of this key are being received already.`;
  return new RosterError('rate_limited', detail, { retryAfter: 1 });
}

function noRoom(): RosterError {
  return new RosterError('overloaded', 'The request bodies of this key hold as much memory as they may.');
}

function overloaded(): RosterError {
  return new RosterError('overloaded');
}

/** A client that leaves before its body has arrived makes an error of Node; one of the decoder says what is wrong. */
function brokenOff(error: Error): Error {
  const isOfConnection = 'code' in error && error.code === 'ECONNRESET';
  return isOfConnection ? new RosterError('bad_request', 'The body broke off.', { cause: error }) : error;
}
