import { RESPONSE_TTL_MS } from '../trpc/idempotency.ts';
import type { Operation } from './operations.ts';

const text = (description: string, example: string, pattern?: string) => ({
  description,
  schema: { type: 'string', ...(pattern && { pattern }) },
  example,
});

const tag = '"3"';
const requestIds = '^[\\w.:/+=-]{1,128}$';

export const headerComponents = {
  RequestId: text('Request ID in the server log: the one you sent, or a new one', 'req-7f3a', requestIds),
  ETag: text(
    'Version of the record, for `If-Match` and `If-None-Match`. Compressed responses append the content coding.',
    tag,
    '^"\\d+(-(br|gzip|deflate))?"$',
  ),
  Location: text('Path of the new record', '/offices/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'),
  Link: text(
    'Links to the next and previous page, if any (RFC 8288)',
    '</offices?cursor=WyIyMDI2Il0>; rel="next"',
  ),
  LinkToDuplicates: text(
    'Link to possible duplicates of the new record, found within seconds (RFC 8288)',
    '</offices/duplicates?recordId=01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11>; rel="related"',
  ),
  RetryAfter: {
    description: 'Seconds to wait before you try again',
    schema: { type: 'integer', minimum: 1, maximum: 3_600 },
    example: 1,
  },
  WWWAuthenticate: text('Missing key or scope (RFC 6750)', 'Bearer realm="Roster"'),
  RateLimit: text('Remaining quota, and seconds until it is full again', '"default";r=599;t=1'),
  RateLimitPolicy: text('Quota, and its window in seconds', '"default";q=600;w=60'),
  IdempotencyReplayed: {
    description: 'Whether this is the response of the first request with this `Idempotency-Key`',
    schema: { type: 'string', enum: ['true'] },
  },
};

export function referencesTo<Name extends string>(section: string, components: Record<Name, unknown>) {
  const names = Object.keys(components) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/${section}/${name}` }]),
  ) as Record<Name, { $ref: string }>;
}

export const headers = referencesTo('headers', headerComponents);

export const responseHeaders = {
  'X-Request-Id': headers.RequestId,
  RateLimit: headers.RateLimit,
  'RateLimit-Policy': headers.RateLimitPolicy,
};

function parameter(name: string, description: string, example: string, pattern: string) {
  return { name, in: 'header', required: false, ...text(description, example, pattern) };
}

const tags = '^\\s*(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)\\s*$';

/** 1 to 255 printable ASCII characters, quoted or not (draft standard). */
const idempotencyKeys = '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~]([ !#-~]{0,253}[!#-~])?)$';
const eventCursors = '^(latest|(0|[1-9]\\d{0,15})~?)$';

export const parameterComponents = {
  IfNoneMatch: parameter(
    'If-None-Match',
    'ETags of versions you have, or `*`. If one is current, a read returns 304 and a change returns 412.',
    tag,
    tags,
  ),
  IfMatch: parameter(
    'If-Match',
    'ETags of versions you expect, or `*`. If none is current, the change returns 412.',
    '*',
    tags,
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    `Makes a request safe to retry for ${RESPONSE_TTL_MS / 3_600_000} hours. A retry returns the first response and changes nothing.`,
    '"01980a3c-8d1f-7b2e-9c4a-5e6f7a8b9c0d"',
    idempotencyKeys,
  ),
  LastEventId: parameter(
    'Last-Event-ID',
    'ID of the last event you received. The stream resumes after it and ignores `after`.',
    '0',
    eventCursors,
  ),
  RequestId: parameter(
    'X-Request-Id',
    'Your ID for the request. If it does not match this pattern, the service assigns one.',
    'req-7f3a',
    requestIds,
  ),
};

export const sent = referencesTo('parameters', parameterComponents);

export function headerParameters({
  pathParameters,
  isVersioned,
  isRepeatable,
}: Operation): Record<string, unknown>[] {
  const isOnOne = pathParameters.length > 0 && isVersioned;
  return [
    ...(isOnOne ? [sent.IfMatch, sent.IfNoneMatch] : []),
    ...(isRepeatable ? [sent.IdempotencyKey] : []),
    sent.RequestId,
  ];
}
