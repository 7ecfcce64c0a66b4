/** What a reason is, to a program (the status) and to a person (the title and what to do about it). */
interface ErrorCodeEntry {
  status: number;
  title: string;
  /** What the one who receives it can do; the page of errors in the documentation shows it. */
  help: string;
}

/**
 * Every reason for which Roster refuses, closed: nothing else leaves the process. The table is the one
 * source of statuses, titles, the page of errors in the documentation and the statuses in the OpenAPI document.
 */
export const errorCodes = {
  bad_request: {
    status: 400,
    title: 'The request is not valid HTTP',
    help: 'Check the request line, the headers and the encoding of the path.',
  },
  invalid_json: {
    status: 400,
    title: 'The body is not readable JSON',
    help: 'Send UTF-8 JSON (RFC 8259). The detail says where reading stopped.',
  },
  invalid_parameter: {
    status: 400,
    title: 'A parameter is not valid',
    help: 'Correct the parameters that `errors` names. Unknown parameters are refused, never ignored.',
  },
  invalid_cursor: {
    status: 400,
    title: 'The cursor is not one of ours',
    help: 'Pass `nextCursor` on exactly as it came, or leave `cursor` out to start at the first page.',
  },
  cursor_mismatch: {
    status: 400,
    title: 'The cursor belongs to another list',
    help: 'A cursor continues the list it came from: repeat the same filters and the same sort.',
  },
  unauthenticated: {
    status: 401,
    title: 'The request carries no valid key',
    help: 'Send `Authorization: Bearer <key>` with a key that is neither revoked nor expired.',
  },
  insufficient_scope: {
    status: 403,
    title: 'The key may not do this',
    help: 'The detail names the scope that is missing. Somebody with `keys:manage` can give it to the key.',
  },
  not_found: {
    status: 404,
    title: 'No such record',
    help: 'Check the id. A deleted record is gone for every operation but restore.',
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
    help: 'E-mail addresses are unique among agents, ignoring case. Find the other one with `?email=`.',
  },
  source_taken: {
    status: 409,
    title: 'Another record came from this source',
    help: 'The pair of source name and key is unique. Find the other record with `?sourceName=&sourceKey=`.',
  },
  office_inactive: {
    status: 409,
    title: 'The office is inactive and takes no agents',
    help: 'Reactivate the office first, or name another one.',
  },
  office_cycle: {
    status: 409,
    title: 'The office would be its own main office',
    help: 'Name a main office that is not below this one.',
  },
  key_revoked: {
    status: 409,
    title: 'The key is revoked, for good',
    help: 'Make a new key.',
  },
  test_in_progress: {
    status: 409,
    title: 'Another test of the webhook is still running',
    help: 'Try again after Retry-After seconds: a test takes 5 seconds at most.',
  },
  limit_reached: {
    status: 409,
    title: 'There are as many of these as there may be',
    help: 'Delete one that is not needed. Operators can raise the limit of webhooks (`ROSTER_WEBHOOKS_MAX`).',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    help: 'Try again after Retry-After seconds: then you get its answer.',
  },
  has_dependents: {
    status: 409,
    title: 'Other records still refer to this one',
    help: '`dependents` counts them by kind. Move or delete them first, or deactivate instead of deleting.',
  },
  cursor_expired: {
    status: 410,
    title: 'Events after this place are no longer kept',
    help:
      'Read the log again from its start (without `after`), going on with `nextAfter`: it holds the newest event of ' +
      'every record. What it does not name any more, or names as deleted or purged, is gone.',
  },
  version_conflict: {
    status: 412,
    title: 'The record has changed since the version you named',
    help: 'Read the record again, decide anew, and send the version it has now: `currentVersion`.',
  },
  payload_too_large: {
    status: 413,
    title: 'The body is too large',
    help: 'A body holds 256 KiB at most, that of an import 4 MiB; and 50,000 values, names and items, at most.',
  },
  uri_too_long: {
    status: 414,
    title: 'The URL is too long',
    help: 'A URL holds 10,000 characters at most; ask for fewer ids at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'The body is of a type that is not taken',
    help: 'Send `application/json`, or `application/merge-patch+json` for a PATCH.',
  },
  validation_failed: {
    status: 422,
    title: 'The body breaks a rule',
    help:
      'Correct the fields that `errors` names: all of them, up to 100 of a record and 1,000 in all. `errorsOmitted` ' +
      'counts those beyond.',
  },
  reference_not_found: {
    status: 422,
    title: 'A record the body refers to does not exist',
    help: 'Check the ids that `errors` names; a deleted record cannot be referred to.',
  },
  idempotency_key_reused: {
    status: 422,
    title: 'This Idempotency-Key came with another body before',
    help: 'Use a new key for each change; repeat a key only to repeat the very same request.',
  },
  version_required: {
    status: 428,
    title: 'This service wants to know which version you change',
    help: 'Send If-Match with the ETag of the version you have read (RPC and CLI: `ifVersion`).',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for Retry-After seconds. The RateLimit headers say how much is left.',
  },
  headers_too_large: {
    status: 431,
    title: 'The headers are too large',
    help: 'Headers hold 16 kB at most, all together.',
  },
  internal: {
    status: 500,
    title: 'Something went wrong on our side',
    help: 'Report the request id: the log tells the operators what happened.',
  },
  not_implemented: {
    status: 501,
    title: 'The method is one that this service does not know',
    help: 'The Allow header of OPTIONS lists the methods of a path; they are written in capitals.',
  },
  timeout: {
    status: 503,
    title: 'The database took too long',
    help: 'Nothing was changed. Ask for less at once, or try again after Retry-After seconds.',
  },
  overloaded: {
    status: 503,
    title: 'The service has more work than it can do',
    help: 'Nothing was done. Try again after Retry-After seconds, and ask for less at once.',
  },
  unavailable: {
    status: 503,
    title: 'The service cannot answer at the moment',
    help: 'Try again after Retry-After seconds.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
