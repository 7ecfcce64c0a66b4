import fc, { type Arbitrary } from 'fast-check';

const request = 'GET /offices HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (headers: string, body: string) =>
  `POST /offices HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n${body}`;

/** What is no request, not all of one, or may be read as more than one. */
const known: readonly string[] = [
  '\r\n\r\n',
  'GET\r\n\r\n',
  'GET /\r\n\r\n',
  'GET  /offices HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /offices HTTP/1.1\r\n\r\n',
  'GET /offices HTTP/1.0\r\n\r\n',
  'GET /offices HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n',
  'GET /offices HTTP/3.0\r\nHost: x\r\n\r\n',
  'GET /offices HTTP/1.1\nHost: x\n\n',
  'GET offices HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /off ices HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n',
  'get /offices HTTP/1.1\r\nHost: x\r\n\r\n',
  'FROBNICATE /offices HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT other.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET http:///offices HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  `GET /offices HTTP/1.1\r\nHost: x\r\nNo colon\r\n\r\n`,
  `GET /offices HTTP/1.1\r\nHost: x\r\n: no name\r\n\r\n`,
  `GET /offices HTTP/1.1\r\nHost: x\r\nA\0: b\r\n\r\n`,
  `GET /offices HTTP/1.1\r\nHost: x\r\nA: b\0\r\n\r\n`,
  `GET /offices HTTP/1.1\r\nHost: x\r\nA: b\r\n folded\r\n\r\n`,
  `GET /offices HTTP/1.1\r\nHost: x\r\nA: ${'b'.repeat(20_000)}\r\n\r\n`,
  `GET /offices HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(3_000)}\r\n`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  'GET /offices HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
  'GET /offices HTTP/1.1\r\nHost: x\r\nExpect: nothing\r\n\r\n',
  post('Content-Length: -1', '{}'),
  post('Content-Length: 2\r\nContent-Length: 3', '{}'),
  post('Content-Length: x', '{}'),
  post('Content-Type: application/json\r\nContent-Length: 50', '{}'),
  post('Content-Length: 99999999999999999999', '{}'),
  post('Content-Length: 2\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
  post('Transfer-Encoding: chunked', 'zz\r\n{}\r\n0\r\n\r\n'),
  post('Transfer-Encoding: chunked', 'ffffffffffffffffff\r\n'),
  post('Transfer-Encoding: gzip', '{}'),
  post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'),
  post('Content-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: 2', '{}'),
  request.repeat(5),
  `${request}${post('Content-Length: 500', '{}')}`,
  `${request}garbage`,
];

const fragments = [
  '\r\n',
  '\n',
  '\0',
  ' ',
  ':',
  'HTTP/1.1',
  '\r\n\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 5\r\n',
  '\xff',
];

/** A request with something put into it, or cut short, anywhere. */
const damaged = fc
  .tuple(
    fc.constantFrom(...known, request, post('Content-Type: application/json\r\nContent-Length: 2', '{}')),
    fc.nat(),
  )
  .chain(([text, at]) =>
    fc.constantFrom(
      text.slice(0, at % text.length),
      ...fragments.map((extra) => text.slice(0, at % text.length) + extra + text.slice(at % text.length)),
    ),
  );

/** Bytes that may be anything, for a connection of their own. */
export const malformed: Arbitrary<Buffer> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...known).map((text) => Buffer.from(text, 'latin1')) },
  { weight: 4, arbitrary: damaged.map((text) => Buffer.from(text, 'latin1')) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);
