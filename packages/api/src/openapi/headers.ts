import type { Operation } from './operations.ts';

const text = (description: string, example: string, pattern?: string) => ({
  description,
  schema: { type: 'string', ...(pattern && { pattern }) },
  example,
});

const tag = '"3"';
const requestIds = '^[\\w.:/+=-]{1,128}$';

/** The response headers, by their names in the components of the document. */
export const headerComponents = {
  RequestId: text(
    'The id of the request in the log of the service: the one that was sent, or a new one',
    'req-7f3a',
    requestIds,
  ),
  ETag: text(
    'The version of the record, for If-Match and If-None-Match. In a compressed response it ends with the content coding',
    tag,
    '^"\\d+(-(br|gzip|deflate))?"$',
  ),
  Location: text('The path of the new record', '/offices/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'),
  Link: text(
    'The next page and the page before, if there are (RFC 8288)',
    '</offices?cursor=WyIyMDI2Il0>; rel="next"',
  ),
  LinkToDuplicates: text(
    'The records that the new one may be the same as: it is compared within seconds (RFC 8288)',
    '</offices/duplicates?recordId=01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11>; rel="related"',
  ),
  RetryAfter: {
    description: 'Seconds to wait before trying again',
    schema: { type: 'integer', minimum: 1, maximum: 3_600 },
    example: 1,
  },
  WWWAuthenticate: text('The missing key or scope (RFC 6750)', 'Bearer realm="Roster"'),
  RateLimit: text('The remaining quota, and the seconds until it is full again', '"default";r=599;t=1'),
  RateLimitPolicy: text('The quota and its window in seconds', '"default";q=600;w=60'),
  IdempotencyReplayed: {
    description: 'The response is that of the first request with this Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
};

/** References to components of the document. */
export function referencesTo<Name extends string>(section: string, components: Record<Name, unknown>) {
  const names = Object.keys(components) as Name[];
  return Object.fromEntries(
    names.map((name) => [name, { $ref: `#/components/${section}/${name}` }]),
  ) as Record<Name, { $ref: string }>;
}

/** References to the response headers. */
export const headers = referencesTo('headers', headerComponents);

/** The headers of all responses. */
export const responseHeaders = {
  'X-Request-Id': headers.RequestId,
  RateLimit: headers.RateLimit,
  'RateLimit-Policy': headers.RateLimitPolicy,
};

function parameter(name: string, description: string, example: string, pattern: string) {
  return { name, in: 'header', required: false, ...text(description, example, pattern) };
}

const tags = '^\\s*(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)\\s*$';

/** 1 to 255 printable ASCII characters, with or without the quotes of the draft standard. */
const idempotencyKeys = '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~]([ !#-~]{0,253}[!#-~])?)$';
/** A cursor of the event log. */
const eventCursors = '^(latest|(0|[1-9]\\d{0,15})~?)$';

/** The request headers, by their names in the components of the document. */
export const parameterComponents = {
  IfNoneMatch: parameter(
    'If-None-Match',
    'ETags of versions that you have, or `*`: if one of them is the current version, a read returns 304 and a change 412',
    tag,
    tags,
  ),
  IfMatch: parameter(
    'If-Match',
    'ETags of the versions that you expect, or `*`: 412 if the record has another version',
    '*',
    tags,
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    'Makes repeating the request safe for 24 hours: a repetition gets the first response and changes nothing',
    '"01980a3c-8d1f-7b2e-9c4a-5e6f7a8b9c0d"',
    idempotencyKeys,
  ),
  LastEventId: parameter(
    'Last-Event-ID',
    'The id of the last event received: the stream continues after it and ignores `after`',
    '0',
    eventCursors,
  ),
  RequestId: parameter(
    'X-Request-Id',
    'Your id for the request; if it does not match this pattern, the service assigns one',
    'req-7f3a',
    requestIds,
  ),
};

/** References to the request headers. */
export const sent = referencesTo('parameters', parameterComponents);

/** The header parameters of an operation. */
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
