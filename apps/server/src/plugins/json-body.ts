import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { placeInBody, rejectReservedNames, textOfBody } from '../http/json-input.ts';
import type { RequestBodies } from './request-bodies.ts';

/** JSON bodies, as UTF-8 and nothing else; an empty one is none at all. */
export function registerBodies(app: FastifyInstance, bodies: RequestBodies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(['application/json', 'application/merge-patch+json'], (request, payload, done) => {
    bodies.receive(request, payload, (rejection, bytes) => {
      if (rejection !== null) return done(rejection);
      if (bytes.length === 0) return done(null, undefined);
      try {
        done(null, parsed(textOfBody(bytes)));
      } catch (error) {
        done(error as Error);
      }
    });
  });
}

function parsed(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new RosterError('invalid_json', `${(cause as Error).message}.`, { cause });
  }
  rejectReservedNames(text, value, placeInBody);
  return value;
}
