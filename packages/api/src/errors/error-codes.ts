import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX, formatNumber } from './issue-text.ts';

interface ErrorCodeEntry {
  status: number;
  title: string;
  help: string;
}

/** Codes and statuses are part of the API; titles and help can change. */
export const errorCodes = {
  bad_request: {
    status: 400,
    title: 'Invalid HTTP request',
    help: 'Check the request line, the headers and the encoding of the path.',
  },
  invalid_json: {
    status: 400,
    title: 'Invalid JSON',
    help: 'Send UTF-8 JSON (RFC 8259). The detail says where parsing stopped.',
  },
  invalid_parameter: {
    status: 400,
    title: 'Invalid parameter',
    help: 'Correct the parameters listed in `errors`. Unknown parameters are rejected.',
  },
  invalid_cursor: {
    status: 400,
    title: 'Invalid cursor',
    help: 'Send `nextCursor` or `prevCursor` exactly as you received it, or omit `cursor` to start at the first page.',
  },
  cursor_mismatch: {
    status: 400,
    title: "Cursor doesn't match this list",
    help: 'Send a cursor with the same filters, sort and `startAt` as the request that returned it.',
  },
  sign_in_failed: {
    status: 400,
    title: 'Sign-in failed',
    help: 'Start again. Each sign-in, link and code works once, for a short time, in the browser where you started.',
  },
  invalid_logout_token: {
    status: 400,
    title: 'Invalid logout token',
    help:
      'Check the identity provider: it must sign the token for this service and send each token once (OpenID Connect ' +
      'Back-Channel Logout 1.0, section 2.6).',
  },
  unauthenticated: {
    status: 401,
    title: 'Missing or invalid API key',
    help: "Send `Authorization: Bearer <key>` with a key that isn't revoked or expired.",
  },
  sign_in_denied: {
    status: 403,
    title: "You don't have access to this service",
    help: 'Ask an administrator to invite the email address you use at your identity provider.',
  },
  insufficient_scope: {
    status: 403,
    title: 'Missing permission',
    help: 'The detail states the missing scope or right. A key with `keys:manage` can add a scope to your key.',
  },
  not_found: {
    status: 404,
    title: 'Record not found',
    help: 'Check the ID. If the record was deleted, restore it first.',
  },
  no_such_route: {
    status: 404,
    title: 'Path or procedure not found',
    help: 'See /docs for all paths and procedures.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    help: 'Use a method from the `Allow` header.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    help: 'Send the headers within 10 seconds and the whole request within 30.',
  },
  email_taken: {
    status: 409,
    title: 'Email already in use',
    help:
      'Use a different email address, or find the other agent with `?email=`. If that agent was merged, `mergedInto` ' +
      'is the ID of the agent it was merged into.',
  },
  person_email_taken: {
    status: 409,
    title: 'Email already in use by another person',
    help: 'Use a different email address, or change the other person.',
  },
  last_admin: {
    status: 409,
    title: 'At least one unrestricted admin is required',
    help: 'First give the unrestricted role `admin` to another person who has signed in, or use an API key.',
  },
  source_taken: {
    status: 409,
    title: 'Source already in use',
    help:
      'Use a different source, or find the other record with `?sourceName=&sourceKey=`. If that record was merged, ' +
      '`mergedInto` is the ID of the record it was merged into.',
  },
  office_inactive: {
    status: 409,
    title: 'Office is inactive',
    help: 'Reactivate the office first, or choose an active office.',
  },
  office_cycle: {
    status: 409,
    title: "Office can't be its own main office",
    help: "Choose a main office that isn't below this one.",
  },
  too_many_agents: {
    status: 409,
    title: 'Too many agents for one change',
    help:
      'Transfer some agents first with `POST /agents/bulk`: one change can have at most 100,000. A deactivation ' +
      "that isn't scheduled has no such limit.",
  },
  change_finished: {
    status: 409,
    title: 'Scheduled change is already finished',
    help: 'You can only cancel a pending change. Make the opposite change instead.',
  },
  setting_fixed: {
    status: 409,
    title: 'Setting is managed by the server',
    help: 'Ask your operator to change or remove the environment variable `ROSTER_DEFAULT_COUNTRY`.',
  },
  key_revoked: {
    status: 409,
    title: 'API key is revoked',
    help: "Create a new key. You can't restore a revoked key.",
  },
  link_unavailable: {
    status: 409,
    title: "Can't create a sign-in link for this person",
    help: "See the detail: the person is inactive, people sign in with an identity provider, or `ROSTER_PUBLIC_URL` isn't set.",
  },
  test_in_progress: {
    status: 409,
    title: 'Webhook test already running',
    help: 'Try again after `Retry-After` seconds. A test takes at most 5 seconds.',
  },
  limit_reached: {
    status: 409,
    title: "You've reached the limit",
    help:
      'Delete or cancel something you no longer need, or wait until jobs have finished. The detail states the limit. ' +
      'Operators can raise the limit of webhooks with `ROSTER_WEBHOOKS_MAX`.',
  },
  idempotency_in_progress: {
    status: 409,
    title: 'Request with this Idempotency-Key is still running',
    help: 'Try again after `Retry-After` seconds to get the response of the first request.',
  },
  count_mismatch: {
    status: 409,
    title: 'The number of matching records has changed',
    help: 'Preview the filter with `dryRun`, then send the number in `actualCount` as `expectedCount`.',
  },
  job_not_finished: {
    status: 409,
    title: 'Job is still running',
    help: 'Wait until the job has finished, or cancel it. Then you can undo it, or write its import.',
  },
  import_not_accepted: {
    status: 409,
    title: 'Import has errors or warnings',
    help: 'Review the rows (`GET /imports/{id}/rows`), then add what `errors` lists to `acceptWarnings` or `skip`.',
  },
  import_written: {
    status: 409,
    title: 'Import has been written',
    help: 'Download the rows with errors, correct them, and send them as a new file.',
  },
  import_undone: {
    status: 409,
    title: 'Import was undone',
    help: 'Send the file again.',
  },
  has_dependents: {
    status: 409,
    title: 'Record is still in use',
    help:
      'Move or delete the records counted in `dependents` first, or deactivate this record instead. Only records you ' +
      'can see are counted.',
  },
  record_merged: {
    status: 410,
    title: 'Record was merged',
    help: 'Use the record in `mergedInto`. A GET request is redirected to it.',
  },
  cursor_expired: {
    status: 410,
    title: 'Events after this cursor are no longer available',
    help:
      'Read the log again without `after`, then continue with `nextAfter`. Records that are missing from the log, or ' +
      'whose newest event says deleted or purged, no longer exist.',
  },
  version_conflict: {
    status: 412,
    title: 'Record has changed',
    help: 'Read the record again, apply your change, and send the version in `currentVersion`.',
  },
  payload_too_large: {
    status: 413,
    title: 'Request body is too large',
    help: 'Send a smaller body: at most 256 KiB, or 4 MiB for an import, with at most 50,000 values, names and items.',
  },
  uri_too_long: {
    status: 414,
    title: 'URL is too long',
    help: 'Use at most 10,000 characters. Request fewer IDs at once.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    help: 'Send `application/json`, or `application/merge-patch+json` for a PATCH.',
  },
  validation_failed: {
    status: 422,
    title: 'Invalid request body',
    help: `Correct the fields listed in \`errors\`: up to ${ERRORS_PER_RECORD_MAX} per record and ${formatNumber(ERRORS_PER_REQUEST_MAX)} in total. \`errorsOmitted\` counts the rest.`,
  },
  reference_not_found: {
    status: 422,
    title: 'Referenced record not found',
    help: "Check the IDs listed in `errors`. You can't refer to a deleted record.",
  },
  idempotency_key_reused: {
    status: 422,
    title: 'Idempotency-Key was used with a different body',
    help: 'Use a new key for each change. Reuse a key only to retry the same request.',
  },
  version_required: {
    status: 428,
    title: 'Missing If-Match header',
    help: 'Send the ETag of the version you read in `If-Match`, or `ifVersion` in RPC and the command line.',
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    help: 'Wait for `Retry-After` seconds. The `RateLimit` header says how many requests are left.',
  },
  headers_too_large: {
    status: 431,
    title: 'Request headers are too large',
    help: 'Use at most 16 kB for all headers together.',
  },
  internal: {
    status: 500,
    title: 'Internal error',
    help: 'Report the request ID to your operator. The server log has the details.',
  },
  timeout: {
    status: 503,
    title: 'The database took too long',
    help: 'Nothing was changed. Request less at once, or try again after `Retry-After` seconds.',
  },
  overloaded: {
    status: 503,
    title: 'Service is overloaded',
    help: 'Nothing was done. Try again after `Retry-After` seconds, and request less at once.',
  },
  unavailable: {
    status: 503,
    title: 'Service is temporarily unavailable',
    help:
      'Try again after `Retry-After` seconds. Without that header, your change may have been made: check before you send it ' +
      'again, or send changes with an `Idempotency-Key`.',
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof errorCodes;
