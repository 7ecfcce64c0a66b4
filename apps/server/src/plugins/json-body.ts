import { RosterError } from '@roster/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeBody, pointerInBody, rejectReservedNames } from '../http/json.ts';
import type { RequestBodies } from '../overload/request-bodies.ts';

/** Parses JSON bodies in UTF-8, and no other type. An empty body counts as none. */
export function registerJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], (request, payload, done) => {
    bodies.receive(request, payload, (rejection, bytes) => {
      if (rejection !== null) return done(rejection);
      if (bytes.length === 0) return done(null, undefined);
      try {
        done(null, parseBody(decodeBody(bytes), request));
      } catch (error) {
        done(error as Error);
      }
    });
  });
}

/** A body of a DELETE has no meaning (RFC 9110, section 9.3.5): it has to be JSON, and nothing in it is looked at. */
function parseBody(text: string, { method }: FastifyRequest): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RosterError('invalid_json', `${(cause as Error).message}.`, { cause });
  }
  if (method !== 'DELETE') rejectReservedNames(text, value, pointerInBody);
  return value;
}
