import { readsRecords } from '../api-keys/scopes.ts';
import type { Operation } from './operations.ts';

/** The headers of requests and answers, as the OpenAPI document describes them. */

const text = (description: string, example: string, pattern?: string) => ({
  description,
  schema: { type: 'string', ...(pattern && { pattern }) },
  example,
});

const tag = '"3"';
const consistencyToken = '000000010000000003000148';
const requestIds = '^[\\w.:/+=-]{1,128}$';
const consistencyTokens = '^[0-9A-Fa-f]{24}$';

/** Headers of answers, by the name they have among the components of the document. */
export const headerComponents = {
  RequestId: text('Names the request in our log: the id that was sent, or a new one', 'req-7f3a', requestIds),
  ETag: text(
    'The version of the record: for If-Match and If-None-Match. A compressed answer has its coding behind the version',
    tag,
    '^"\\d+(-(br|gzip|deflate))?"$',
  ),
  Location: text('Where the new record is', '/offices/01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'),
  Link: text('The next page, where there is one (RFC 8288)', '</offices?cursor=WyIyMDI2Il0>; rel="next"'),
  RetryAfter: {
    description: 'Seconds to wait before trying again',
    schema: { type: 'integer', minimum: 1 },
    example: 1,
  },
  WWWAuthenticate: text('What is missing (RFC 6750)', 'Bearer realm="Roster"'),
  RateLimit: text('What is left of the quota, and when it is whole again, in seconds', '"default";r=599;t=1'),
  RateLimitPolicy: text('The quota, and its window in seconds', '"default";q=600;w=60'),
  ConsistencyToken: text(
    'Where the service reads from replicas: what this answer has seen or written. Sent back, reads show no less',
    consistencyToken,
    consistencyTokens,
  ),
  IdempotencyReplayed: {
    description: 'The answer is that of the first request with this Idempotency-Key',
    schema: { type: 'string', enum: ['true'] },
  },
};

const component = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** References to the components. */
export const headers = {
  ETag: component('ETag'),
  Location: component('Location'),
  Link: component('Link'),
  RetryAfter: component('RetryAfter'),
  WWWAuthenticate: component('WWWAuthenticate'),
  IdempotencyReplayed: component('IdempotencyReplayed'),
};

/** What every answer of an operation carries. */
export const responseHeaders = {
  'X-Request-Id': component('RequestId'),
  RateLimit: component('RateLimit'),
  'RateLimit-Policy': component('RateLimitPolicy'),
  'Consistency-Token': component('ConsistencyToken'),
};

const parameter = (name: string, { description, schema, example }: ReturnType<typeof text>) => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
  example,
});

const tags = '^\\s*(\\*|(W/)?"[^"]*"(\\s*,\\s*(W/)?"[^"]*")*)\\s*$';

/** 1 to 255 visible characters and blanks, quoted as in the draft standard or bare. */
const idempotencyKeys = '^("([ !#-\\[\\]-~]|\\\\["\\\\]){1,255}"|[!#-~]([ !#-~]{0,253}[!#-~])?)$';
/** A place in the log of events. */
const places = '^(latest|(0|[1-9]\\d{0,15})~?)$';

/** Headers of requests. */
export const parameterComponents = {
  IfNoneMatch: parameter(
    'If-None-Match',
    text(
      'ETags of versions you have, or `*`: a read is 304 where one of them is the version, a change 412',
      tag,
      tags,
    ),
  ),
  IfMatch: parameter(
    'If-Match',
    text('ETags of the versions you mean, or `*`: 412 where the record has another', '*', tags),
  ),
  IdempotencyKey: parameter(
    'Idempotency-Key',
    text(
      'Makes repeating the request safe for 24 hours: the first answer comes again, nothing is done twice',
      '"01980a3c-8d1f-7b2e-9c4a-5e6f7a8b9c0d"',
      idempotencyKeys,
    ),
  ),
  ConsistencyToken: parameter(
    'Consistency-Token',
    text(
      'The greatest token of the answers you have had, as text: this one is no older; or `latest`, after an event',
      consistencyToken,
      '^([0-9A-Fa-f]{24}|latest)$',
    ),
  ),
  LastEventId: parameter(
    'Last-Event-ID',
    text(
      'The id of the last event that arrived: the stream goes on after it, whatever `after` says',
      '0',
      places,
    ),
  ),
  RequestId: parameter(
    'X-Request-Id',
    text(
      'Your id for the request; where it has another form than this, a new one is made',
      'req-7f3a',
      requestIds,
    ),
  ),
};

const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' };
const ifMatch = { $ref: '#/components/parameters/IfMatch' };
const idempotencyKey = { $ref: '#/components/parameters/IdempotencyKey' };
const consistencyTokenSent = { $ref: '#/components/parameters/ConsistencyToken' };
export const requestId = { $ref: '#/components/parameters/RequestId' };
export const lastEventId = { $ref: '#/components/parameters/LastEventId' };

/** Headers a request may carry. */
export function headerParameters({
  pathParameters,
  isVersioned,
  isRepeatable,
  scope,
}: Operation): Record<string, unknown>[] {
  const isOnOne = pathParameters.length > 0 && isVersioned;
  return [
    ...(isOnOne ? [ifMatch, ifNoneMatch] : []),
    ...(isRepeatable ? [idempotencyKey] : []),
    ...(readsRecords(scope) ? [consistencyTokenSent] : []),
    requestId,
  ];
}
