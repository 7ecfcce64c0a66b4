import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { acceptedBodies } from '../http/media-types.ts';
import { pathOf } from '../http/query-string.ts';

/**
 * Answers requests that no route matches, and every OPTIONS: OPTIONS with the methods of the path, a wrong method with 405
 * and the methods in `Allow`, an unknown path with 404. Must be called before the routes are registered, to collect them.
 */
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
    // `/offices/bulk` is also an `/offices/:id`, but its methods are its own.
    const exact = paths.get(path);
    const matching =
      exact === undefined ? [...paths.values()].filter(({ pattern }) => pattern.test(path)) : [exact];
    const allowed = matching.flatMap(({ methods }) => [...methods]);
    if (allowed.length === 0) return done(new RosterError('no_such_route', `There is nothing at ${path}.`));
    reply.header('Allow', [...new Set(allowed)].sort().join(', '));
    if (request.method === 'OPTIONS') return void reply.headers(acceptedBodies(allowed)).code(204).send();
    done(new RosterError('method_not_allowed', `${request.method} is not a method of ${path}.`));
  });
}
