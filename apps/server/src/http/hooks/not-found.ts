import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { pathOf } from '../../observability/request-path.ts';
import { acceptedBodies } from '../media-types.ts';

const HINT_MAX_CHARACTERS = 200;

/** Tries the path without extra slashes, in lower case, and with its first part in the plural. */
function findMeantPath(path: string, known: readonly { pattern: RegExp }[]): string | undefined {
  if (path.length > HINT_MAX_CHARACTERS) return undefined;
  const plain = path.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '');
  const plural = plain.replace(/^\/([a-z-]+)/i, '/$1s');
  const meant = [plain, plural, plain.toLowerCase(), plural.toLowerCase()];
  return meant.find((one) => one !== path && one !== '' && known.some(({ pattern }) => pattern.test(one)));
}

/** Responds to every OPTIONS, to a wrong method and to an unknown path. Must be registered before the routes, to collect them. */
export function registerNotFound(app: FastifyInstance): void {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(`^${url.replaceAll(/:\w+/g, '[^/]+').replace('*', '.*')}$`);
    const entry = paths.get(url) ?? { pattern, methods: new Set(['OPTIONS']) };
    for (const one of [method].flat()) entry.methods.add(one);
    paths.set(url, entry);
  });
  // In onRequest, so that the path is checked before the type of the body.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && request.method !== 'OPTIONS') return done();
    const path = pathOf(request.url);
    if (path === '*' && request.method === 'OPTIONS') {
      const all = [...paths.values()].flatMap(({ methods }) => [...methods]);
      return void reply
        .header('Allow', [...new Set(all)].sort().join(', '))
        .code(204)
        .send();
    }
    // `/offices/bulk` also matches `/offices/:id`, but has methods of its own.
    const exact = paths.get(path);
    const matching =
      exact === undefined ? [...paths.values()].filter(({ pattern }) => pattern.test(path)) : [exact];
    const allowed = matching.flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0) {
      const meant = findMeantPath(path, [...paths.values()]);
      const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
      return done(new RosterError('no_such_route', `There is nothing at ${path}.${hint}`));
    }
    const listed = [...new Set(allowed)].sort().join(', ');
    reply.header('Allow', listed);
    if (request.method === 'OPTIONS') return void reply.headers(acceptedBodies(allowed)).code(204).send();
    done(
      new RosterError(
        'method_not_allowed',
        `${request.method} is not a method of ${path}, which has ${listed}.`,
      ),
    );
  });
}
