import type { IncomingMessage, Server } from 'node:http';

/** A host and an optional port (RFC 3986, section 3.2.2): a name, an IPv4 address, or an IPv6 address in brackets. */
const host = /^(?:\[[\dA-Fa-f:.]+\]|(?:[\w\-.~!$&'()*+,;=]|%[\dA-Fa-f]{2})+)(?::\d*)?$/;

/**
 * What RFC 9112 tells a server to answer with 400 and Node lets through: other versions of HTTP than 1.0 and 1.1, a target
 * with a fragment, and a Host that is missing, repeated, empty or no host (sections 2.3, 3.2 and 3.2.1).
 */
export function faultOfMessage({
  httpVersion,
  url = '/',
  headers,
  rawHeaders,
}: IncomingMessage): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 'The service speaks HTTP/1.1 and HTTP/1.0.';
  if (url.includes('#')) return 'The target of a request has no fragment (RFC 9112, section 3.2).';
  if (headers.host === undefined) {
    // HTTP/1.0 knows no Host.
    return httpVersion === '1.0'
      ? undefined
      : 'A request of HTTP/1.1 names the Host (RFC 9112, section 3.2).';
  }
  if (!host.test(headers.host))
    return 'The Host is not a host with an optional port (RFC 9112, section 3.2).';
  return isRepeated(rawHeaders, 'host')
    ? 'The Host is named more than once (RFC 9112, section 3.2).'
    : undefined;
}

/** Whether a header came more than once; of some, Node keeps the first and drops the others. */
function isRepeated(rawHeaders: string[], name: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const one = rawHeaders[index] ?? '';
    if (one.length === name.length && one.toLowerCase() === name) count += 1;
  }
  return count > 1;
}

const waiting = new WeakSet<IncomingMessage>();

/** Whether a client waits for 100 Continue, which it was not sent: it may never send the body it announced. */
export function isWaitingToContinue(request: IncomingMessage): boolean {
  return waiting.has(request);
}

/**
 * A client that expects 100 Continue is sent it when somebody begins to read its body: after everything that the headers
 * decide (RFC 9110, section 10.1.1). An expectation nobody knows is ignored; Node would answer 417 by itself.
 */
export function answerExpectations(server: Server): void {
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
