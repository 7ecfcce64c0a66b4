interface ErrorCodeEntry {
  /** The HTTP status. */
  status: number;
  title: string;
  /** The advice to the caller; shown on the page of error codes. */
  help: string;
}

/**
 * All error codes of the service: the source of the statuses, the titles, the page of error codes and the responses in the
 * OpenAPI document. A code and its status are part of the API; titles and help texts may change.
 */
export const errorCodes = {
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    help: 'Check the request line, the headers and the encoding of the path.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not valid JSON',
    help: 'Send UTF-8 JSON (RFC 8259). The detail says where parsing stopped.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter is not valid',
    help: 'Correct the parameters that `errors` names. Unknown parameters are rejected, not ignored.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not valid',
    help: 'Send `nextCursor` or `prevCursor` exactly as you received it, or omit `cursor` to start at the first page.',
  },
  cursor_mismatch: {
    status: 400,
    title: 'The cursor belongs to another list',
    help: 'Send a cursor with the same filters, sort and `startAt` as the request that returned it.',
  },
  sign_in_failed: {
    status: 400,
    title: 'The sign-in could not be completed',
    help: 'Start again: each sign-in, link and code works once, for a short time, and in the browser in which it began.',
  },
  invalid_logout_token: {
    status: 400,
    title: 'The logout token is not valid',
    help: 'The identity provider must sign it for this service, and send each once (OpenID Connect Back-Channel Logout 1.0, section 2.6).',
  },
  unauthenticated: {
    status: 401,
    title: 'The request has no valid key',
    help: 'Send `Authorization: Bearer <key>` with a key that is neither revoked nor expired.',
  },
  sign_in_denied: {
    status: 403,
    title: 'You may not sign in to this service',
    help: 'Ask someone with the role `admin` for an invitation to the e-mail address that you have at the identity provider.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key does not have the required scope',
    help: 'The detail names the missing scope or right. A key with `keys:manage` can add a scope to a key.',
  },
  not_found: {
    status: 404,
    title: 'No such record',
    help: 'Check the id. A deleted record can only be restored.',
  },
  no_such_route: {
    status: 404,
    title: 'No such path or procedure',
    help: 'The paths and procedures are listed at /docs.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The method is not allowed here',
    help: 'The Allow header lists the methods of this path.',
  },
  request_timeout: {
    status: 408,
    title: 'The request took too long to arrive',
    help: 'Send the headers within 10 seconds and the whole request within 30.',
  },
  email_taken: {
    status: 409,
    title: 'Another agent has this e-mail address',
    help: 'E-mail addresses of agents are unique, ignoring case. Find the other agent with `?email=`. If the address is that of an agent that was merged, `mergedInto` is the id of the agent that has it now.',
  },
  person_email_taken: {
    status: 409,
    title: 'Another person has this e-mail address',
    help: 'E-mail addresses of people are unique, ignoring case. Change the other person instead.',
  },
  last_admin: {
    status: 409,
    title: 'No other person has the role admin for everything',
    help: 'Give another person, who has signed in, the role `admin` for everything first. A key can do it in any case.',
  },
  source_taken: {
    status: 409,
    title: 'Another record has this source',
    help: 'The pair of source name and key is unique. Find the other record with `?sourceName=&sourceKey=`. If the source is that of a record that was merged, `mergedInto` is the id of the record that has it now.',
  },
  office_inactive: {
    status: 409,
    title: 'The office is inactive and accepts no agents',
    help: 'Reactivate the office first, or choose another one.',
  },
  office_cycle: {
    status: 409,
    title: 'The office would be its own main office',
    help: 'Choose a main office that is not below this one.',
  },
  too_many_agents: {
    status: 409,
    title: 'The office has more agents than one change takes',
    help: 'One transaction changes at most 100,000 agents. Transfer some of them first, with `POST /agents/bulk`; a deactivation that is not scheduled has no such limit.',
  },
  change_finished: {
    status: 409,
    title: 'The scheduled change is done or has failed',
    help: 'Only a pending change can be cancelled. Make the opposite change instead.',
  },
  setting_fixed: {
    status: 409,
    title: 'The setting is fixed by the server',
    help: 'An environment variable of the server sets it. Ask the operator to change or remove `ROSTER_DEFAULT_COUNTRY`.',
  },
  key_revoked: {
    status: 409,
    title: 'The key is revoked permanently',
    help: 'Create a new key.',
  },
  link_unavailable: {
    status: 409,
    title: 'No link can be made with which this person signs in',
    help: 'The detail says why: the person is inactive, people sign in at an identity provider, or the service does not know its own address (`ROSTER_PUBLIC_URL`).',
  },
  test_in_progress: {
    status: 409,
    title: 'Another test of the webhook is still running',
    help: 'Try again after Retry-After seconds: a test takes at most 5 seconds.',
  },
  limit_reached: {
    status: 409,
    title: 'The maximum number of these exists',
    help: 'Delete or cancel one that is not needed; of jobs, wait until some have ended. One key or person has at most half of them, and 200 views; those that are limited to some offices leave a fifth to the others. Operators can raise the limit of webhooks (`ROSTER_WEBHOOKS_MAX`).',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    help: 'Try again after Retry-After seconds: you then receive its response.',
  },
  count_mismatch: {
    status: 409,
    title: 'The filter selects another number of records than expected',
    help: '`actualCount` is the current number. Check with `dryRun` what the filter selects, then send that number as `expectedCount`.',
  },
  job_not_finished: {
    status: 409,
    title: 'The job has not ended',
    help: 'Wait until it has, or cancel it; then it can be undone, and an import written.',
  },
  import_unconfirmed: {
    status: 409,
    title: 'The check of the import found what must be confirmed or skipped',
    help: '`errors` names it. See the rows (`GET /imports/{id}/rows`), then name what may be written in `confirm`, and what is left out in `skip`.',
  },
  import_undone: {
    status: 409,
    title: 'The import was undone',
    help: 'Send the file again.',
  },
  has_dependents: {
    status: 409,
    title: 'Other records still refer to this one',
    help: '`dependents` counts those that you can see, by kind. Move or delete them first, or deactivate instead of deleting.',
  },
  record_merged: {
    status: 410,
    title: 'The record was merged into another one',
    help: '`mergedInto` is the id of the record that it was merged into: use that one. A GET is redirected to it.',
  },
  cursor_expired: {
    status: 410,
    title: 'Events after this cursor are no longer kept',
    help: 'Read the log again from its start (without `after`), then continue with `nextAfter`: it holds the newest event of every record. A record that it does not name, or names as deleted or purged, no longer exists.',
  },
  version_conflict: {
    status: 412,
    title: 'The record has changed since the version you named',
    help: 'Read the record again, apply your change to it, and send its current version: `currentVersion`.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'A body has at most 256 KiB, that of an import 4 MiB; and at most 50,000 values, names and items.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long',
    help: 'A URL has at most 10,000 characters; request fewer ids at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    help: 'Send `application/json`, or `application/merge-patch+json` for a PATCH.',
  },
  validation_failed: {
    status: 422,
    title: 'The body is not valid',
    help: 'Correct the fields that `errors` names: up to 100 of a record and 1,000 in all. `errorsOmitted` counts the rest.',
  },
  reference_not_found: {
    status: 422,
    title: 'A record that the body refers to does not exist',
    help: 'Check the ids that `errors` names; a deleted record cannot be referred to.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key was used with another body',
    help: 'Use a new key for each change; repeat a key only to repeat the same request.',
  },
  version_required: {
    status: 428,
    title: 'This service requires the version that you change',
    help: 'Send If-Match with the ETag of the version you have read (RPC and CLI: `ifVersion`).',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for Retry-After seconds. The RateLimit headers say how many requests are left.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    help: 'All headers together have at most 16 kB.',
  },
  internal: {
    status: 500,
    title: 'An internal error occurred',
    help: 'Report the request id: the log of the server has the details.',
  },
  timeout: {
    status: 503,
    title: 'The database took too long',
    help: 'Nothing was changed. Request less at once, or try again after Retry-After seconds.',
  },
  overloaded: {
    status: 503,
    title: 'The service is overloaded',
    help: 'Nothing was done. Try again after Retry-After seconds, and request less at once.',
  },
  unavailable: {
    status: 503,
    title: 'The service is temporarily unavailable',
    help: 'Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
