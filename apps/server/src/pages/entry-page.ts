import type { FastifyInstance } from 'fastify';
import { appendVary } from '../http/hooks/caching.ts';

/** The quality of a media type in an Accept header, by the most specific range that matches; 0 if none does. */
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

/** Whether a client prefers a page for people to JSON. */
export function prefersHtml(accept = '*/*'): boolean {
  return qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json');
}

export interface EntryPageOptions {
  /** Whether the page of the operations is served. */
  isPageServed: boolean;
  /** Whether the console is served, which may be built while the server runs. */
  isConsoleServed: () => boolean;
}

/**
 * `GET /` redirects a browser, which prefers HTML to JSON, to the console or, if that is not served, to the page of the
 * operations, and other clients to the OpenAPI document. If neither page is served, all clients to the document.
 */
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
