import type { FastifyInstance } from 'fastify';
import { appendVary } from '../http/hooks/caching.ts';

/** By the most specific range that matches; 0 if none does. */
function qualityOf(accept: string, type: string): number {
  const ranges = ['*/*', `${type.split('/', 1)[0]}/*`, type];
  let quality = 0;
  let specificity = -1;
  for (const part of accept.toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const found = ranges.indexOf(range);
    if (found <= specificity) continue;
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    specificity = found;
    quality = weight === undefined ? 1 : Number(weight.slice(2)) || 0;
  }
  return quality;
}

export function prefersHtml(accept = '*/*'): boolean {
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json');
}

export interface EntryPageOptions {
  isPageServed: boolean;
  /** It may be built while the server runs. */
  isConsoleServed: () => boolean;
}

export function registerEntryPage(
  app: FastifyInstance,
  { isPageServed, isConsoleServed }: EntryPageOptions,
): void {
  const page = () => {
    if (isConsoleServed()) return '/console/';
    return isPageServed ? '/docs/' : undefined;
  };
  app.get('/', (request, reply) => {
    const target = prefersHtml(request.headers.accept) ? page() : undefined;
    appendVary(reply, 'accept');
    return reply.redirect(target ?? '/openapi.json', 303);
  });
}
