import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeBody, pointerInBody, rejectLostMembers } from './json.ts';
import type { RequestBodies } from './limits/request-bodies.ts';

/** Parses JSON bodies in UTF-8, and no other type. */
export function registerJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  bodies.parseIn(app, ['application/json', 'application/merge-patch+json'], parseBody);
}

/**
 * The value of a body; undefined of an empty one, which counts as none. That of a DELETE is not searched for lost members: it is
 * rejected unless it is `{}`.
 */
function parseBody(bytes: Buffer, { method }: FastifyRequest): unknown {
  if (bytes.length === 0) return undefined;
  const text = decodeBody(bytes);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RosterError('invalid_json', `${(cause as Error).message}.`, { cause });
  }
  if (method !== 'DELETE') rejectLostMembers(text, value, pointerInBody);
  return value;
}
