/** The response headers that a page of an allowed origin may read (CORS). */
export const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Consistency-Token',
  'RateLimit',
  'RateLimit-Policy',
  'OData-Version',
  'Preference-Applied',
  'EntityId',
];

/** The policy of API responses: in a browser they load and run nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** The headers of every response that tell a browser not to guess its type, leak its URL, run or embed it. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': apiPolicy,
  'cross-origin-resource-policy': 'same-origin',
};
