import type { IncomingMessage, Server } from 'node:http';
import { announcesBody } from '../media-types.ts';

/** A host and an optional port (RFC 3986, section 3.2.2): a name, an IPv4 address, or an IPv6 address in brackets. */
const host = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})+)(?::\d*)?$/;

/** The beginning of an absolute URL without a host. */
const hostless = /^https?:\/\/(?:[^/?#@]*@)?(?:[:/?#]|$)/i;

/** The detail of the error of the target of a request; undefined if there is none. */
function targetError(method: string | undefined, target: string): string | undefined {
  if (target.includes('#')) return 'The target of a request must have no fragment (RFC 9112, section 3.2).';
  if (target === '*' && method !== 'OPTIONS')
    return 'Only OPTIONS has * as its target (RFC 9112, section 3.2.4).';
  return hostless.test(target) ? 'A URL must have a host (RFC 9110, section 4.2).' : undefined;
}

/**
 * Checks what the RFCs require a server to answer with 400 and Node does not check: versions other than HTTP/1.0 and 1.1, a
 * target with a fragment or without a host, `*` for another method than OPTIONS, and a Host that is missing, repeated, empty or malformed
 * (RFC 9112, sections 2.3, 3.2 and 3.2.1). Returns the detail of the error, undefined if there is none.
 *
 * @param target the target of the request as it was sent
 */
export function messageError(
  { httpVersion, method, headers, rawHeaders }: IncomingMessage,
  target: string,
): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The service speaks HTTP/1.1 and HTTP/1.0.';
  const detail = targetError(method, target);
  if (detail !== undefined) return detail;
  if (headers.host === undefined) {
    // HTTP/1.0 has no Host.
    return httpVersion === '1.0'
      ? undefined
      : 'An HTTP/1.1 request must have a Host (RFC 9112, section 3.2).';
  }
  if (!host.test(headers.host))
    return 'The Host is not a host with an optional port (RFC 9112, section 3.2).';
  return isRepeated(rawHeaders, 'host')
    ? 'The request has more than one Host (RFC 9112, section 3.2).'
    : undefined;
}

/** The detail of the error of a GET or HEAD with a body, which has no meaning (RFC 9110, section 9.3.1) and which nothing reads. */
export function contentError({ method, headers }: IncomingMessage): string | undefined {
  if ((method !== 'GET' && method !== 'HEAD') || !announcesBody(headers)) return undefined;
  return `A ${method} has no body.`;
}

/** Whether a header was sent more than once; of some, Node keeps only the first. */
function isRepeated(rawHeaders: string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const one = rawHeaders[index] ?? '';
    if (one.length === name.length && one.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

const waiting = new WeakSet<IncomingMessage>();

/** Whether a client still waits for 100 Continue: without it, it may never send the body that it announced. */
export function isWaitingToContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/**
 * Sends 100 Continue, if the client expects it, when its body begins to be read, and thus after all checks of the headers
 * (RFC 9110, section 10.1.1). Ignores unknown expectations; Node would answer them with 417.
 */
export function handleExpectations(server: Server): void {
  server.on('checkContinue', (request, response) => {
    waiting.add(request);
    request.on('newListener', (event) => {
      if ((event === 'data' || event === 'readable') && waiting.delete(request)) response.writeContinue();
    });
    server.emit('request', request, response);
  });
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}
