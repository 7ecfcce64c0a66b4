import type { FastifyInstance } from 'fastify';
import { appendVary } from './response-headers.ts';

/** How much an Accept header wants a media type: its quality by the most specific range that holds it, 0 where none does. */
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

/**
 * `GET /` leads to where the API is described: a browser, which prefers HTML to JSON, to the page of the operations, and
 * everybody else to the OpenAPI document. Without the page it leads all to the document.
 */
export function registerEntryPage(app: FastifyInstance, { isPageServed }: { isPageServed: boolean }): void {
  app.get('/', (request, reply) => {
    const { accept = '*/*' } = request.headers;
    const isForPeople = qualityOf(accept, 'text/html') > qualityOf(accept, 'application/json');
    appendVary(reply, 'accept');
    return reply.redirect(isPageServed && isForPeople ? '/docs/' : '/openapi.json', 303);
  });
}
