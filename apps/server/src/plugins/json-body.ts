import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { decodeBody, pointerInBody, rejectReservedNames } from '../http/json.ts';
import type { RequestBodies } from './request-bodies.ts';

/** Parses JSON bodies in UTF-8, and no other type. An empty body counts as none. */
export function registerJsonBodies(app: FastifyInstance, bodies: RequestBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], (request, payload, done) => {
    bodies.receive(request, payload, (rejection, bytes) => {
      if (rejection !== null) return done(rejection);
      if (bytes.length === 0) return done(null, undefined);
      try {
        done(null, parseBody(decodeBody(bytes)));
      } catch (error) {
        done(error as Error);
      }
    });
  });
}

function parseBody(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RosterError('invalid_json', `${(cause as Error).message}.`, { cause });
  }
  rejectReservedNames(text, value, pointerInBody);
  return value;
}
