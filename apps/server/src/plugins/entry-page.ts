import type { FastifyInstance } from 'fastify';
import { appendVary } from './vary.ts';

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

/**
 * `GET /` redirects to the description of the API: a browser, which prefers HTML to JSON, to the page of the operations, and
 * other clients to the OpenAPI document. If the page is not served, all clients to the document.
 */
export function registerEntryPage(app: FastifyInstance, { isPageServed }: { isPageServed: boolean }): void {
  app.get('/', (request, reply) => {
    const isBrowser = prefersHtml(request.headers.accept);
    appendVary(reply, 'accept');
    return reply.redirect(isPageServed && isBrowser ? '/docs/' : '/openapi.json', 303);
  });
}
