import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { placeInBody, rejectReservedNames, textOfBody } from './json-input.ts';

/** JSON bodies, as UTF-8 and nothing else; an empty one is none at all. */
export function registerBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (_, bytes: Buffer, done) => {
      if (bytes.length === 0) return done(null, undefined);
      try {
        done(null, parsed(textOfBody(bytes)));
      } catch (error) {
        done(error as Error);
      }
    },
  );
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
