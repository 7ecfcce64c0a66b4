import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';

/** JSON bodies, as UTF-8 and nothing else; an empty one is none at all. */
export function registerBodies(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json'],
    { parseAs: 'buffer' },
    (request, bytes: Buffer, done) => {
      if (bytes.length === 0) return done(null, undefined);
      try {
        void parseJson(request, utf8.decode(bytes), (error, body) => {
          if (error === null) return done(null, body);
          done(new RosterError('invalid_json', `${error.message}.`, { cause: error }));
        });
      } catch (cause) {
        done(new RosterError('invalid_json', 'The body is not UTF-8.', { cause }));
      }
    },
  );
}
