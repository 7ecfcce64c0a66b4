import { maxHeaderSize } from 'node:http';
import { BODY_MAX_BYTES, TIMEOUTS } from '../../apps/server/src/app.ts';
import { CHECK_MS } from '../../apps/server/src/http/health.ts';
import { URL_MAX_CHARACTERS } from '../../apps/server/src/http/hooks/lifecycle.ts';
import { BODY_VALUES_MAX } from '../../apps/server/src/http/json.ts';
import { START_MS, WAITING_PER_CALLER_MAX } from '../../apps/server/src/http/limits/fair-queue.ts';
import { UPLOADS } from '../../apps/server/src/http/limits/file-uploads.ts';
import { LIMITS as streams } from '../../apps/server/src/http/limits/open-streams.ts';
import { BYTES_OF_REQUEST } from '../../apps/server/src/http/limits/rate-limit.ts';
import { LIMITS as bodies, DECODER_BYTES } from '../../apps/server/src/http/limits/request-bodies.ts';
import { SHARE_MIN } from '../../apps/server/src/http/limits/running-requests.ts';
import { BATCH_MAX } from '../../apps/server/src/http/rpc/routes.ts';
import { REJECTION_LINES_MAX } from '../../apps/server/src/observability/rejection-sampler.ts';
import { RESPONSE_MAX_BYTES } from '../../apps/server/src/sign-in/identity-provider.ts';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../packages/api/src/engine/list/parameters.ts';
import { HIGHLIGHTS_MAX } from '../../packages/api/src/engine/search/highlights.ts';
import { RANKED_MAX } from '../../packages/api/src/engine/search/relevance.ts';
import { SEARCH_WORDS_MAX } from '../../packages/api/src/engine/search/search.ts';
import {
  ERRORS_PER_RECORD_MAX,
  ERRORS_PER_REQUEST_MAX,
  UNKNOWN_NAMES_MAX,
} from '../../packages/api/src/errors/issue-text.ts';
import { REVERT_FIELDS_MAX } from '../../packages/api/src/history/schemas.ts';
import { FILE_MAX_BYTES, ROWS_MAX } from '../../packages/api/src/imports/files/schemas.ts';
import { BODY_MAX_BYTES as IMPORT_MAX_BYTES } from '../../packages/api/src/imports/router.ts';
import { RECORDS_MAX } from '../../packages/api/src/jobs/schemas.ts';
import { AGENTS_AT_ONCE } from '../../packages/api/src/offices/next-agents.ts';
import { CALL_MAX_MS } from '../../packages/api/src/offices/service.ts';
import { AGENTS_MAX } from '../../packages/api/src/offices/transfer.ts';
import { CHECKED_MAX } from '../../packages/api/src/records/try-change.ts';
import { YEARS_MAX } from '../../packages/api/src/schedule/effective-time.ts';
import { ATTEMPTS_MAX } from '../../packages/api/src/schedule/run-due.ts';
import { POLL_INTERVAL_MS as SCHEDULE_POLL_MS } from '../../packages/api/src/schedule/worker.ts';
import { RECORDS_OF_REQUEST } from '../../packages/api/src/trpc/authorization.ts';
import { RESPONSE_TTL_MS } from '../../packages/api/src/trpc/idempotency.ts';
import { ITEMS_MAX, LEVELS_MAX, NAMES_MAX, VALUES_MAX } from '../../packages/api/src/trpc/input-limits.ts';
import { CHARACTERS_PER_UNIT, UNITS_PER_ITERATION } from '../../packages/api/src/trpc/validation-queue.ts';
import { ROW_MAX } from '../../packages/import/src/rows.ts';
import { WAITING_MAX } from '../../packages/postgres/src/caller-limit.ts';
import { IDLE_TRANSACTION_MS, LOCK_MS, PIPELINE_CONNECTIONS } from '../../packages/postgres/src/connect.ts';
import { creationLimits } from './creation-limits.ts';
import {
  closed,
  error,
  invalid,
  invalidParameter,
  type Limit,
  limited,
  overloaded,
  setting,
  timeout,
  tooLarge,
} from './limit-texts.ts';
import { bytes, duration, number, page, table } from './markdown.ts';
import { openApi } from './openapi.ts';
import { reso } from './reso-limits.ts';
import { webhooks } from './webhook-limits.ts';

const BULK_COST = `${CHECKED_MAX / RECORDS_OF_REQUEST} requests, as an import of ${CHECKED_MAX} records`;
const importsMax = openApi.components.schemas.OfficeImport?.properties?.records?.maxItems ?? 0;

const requests: readonly Limit[] = [
  ['body', bytes(BODY_MAX_BYTES), tooLarge],
  [
    'file of an import',
    `${bytes(FILE_MAX_BYTES)} after its content coding is decoded, ${number(ROWS_MAX)} rows, ${bytes(ROW_MAX)} a row`,
    `${tooLarge}; too many rows end its job as failed, a row that is too long is an error and the last one`,
  ],
  [
    'files that are received at once',
    `${number(UPLOADS.max)}; ${number(UPLOADS.perCallerMax)} of one key`,
    `${error(503, 'overloaded')}, ${error(429, 'rate_limited')}`,
  ],
  ['body of an import of records, or of a file by RPC', bytes(IMPORT_MAX_BYTES), tooLarge],
  ['values (members and items) in a JSON body', number(BODY_VALUES_MAX), tooLarge],
  ['URL', `${number(URL_MAX_CHARACTERS)} characters`, error(414, 'uri_too_long')],
  ['headers together', bytes(maxHeaderSize), error(431, 'headers_too_large')],
  ['time until the headers have arrived', duration(TIMEOUTS.headersMs), error(408, 'request_timeout')],
  ['time until the whole request has arrived', duration(TIMEOUTS.requestMs), error(408, 'request_timeout')],
  ['calls in an RPC batch', number(BATCH_MAX), error(400, 'bad_request')],
  ['a response of the identity provider', bytes(RESPONSE_MAX_BYTES), error(503, 'unavailable')],
];

const input: readonly Limit[] = [
  ['records a page of a list', `${LIMIT_MAX}, ${LIMIT_DEFAULT} by default`, `${LIMIT_MAX} records`],
  ['values of a repeated parameter', '100 (`ids`: 200)', invalidParameter],
  ['words of a search (`q`)', number(SEARCH_WORDS_MAX), invalidParameter],
  ['highlights of a record', number(HIGHLIGHTS_MAX), 'the first ones'],
  ['records of a list by relevance', number(RANKED_MAX), 'some of those that match'],
  ['records in one call of an import', number(importsMax), invalid],
  ['records of a job; of its dry run', `${number(RECORDS_MAX)}; the first ${CHECKED_MAX} are tried`, invalid],
  ['names in one object', number(NAMES_MAX), invalid],
  ['items in one list', number(ITEMS_MAX), invalid],
  ['values in one record', number(VALUES_MAX), invalid],
  ['fields that a revert names', number(REVERT_FIELDS_MAX), invalid],
  ['levels of nesting', number(LEVELS_MAX), invalid],
  [
    'errors that one response names',
    `${number(ERRORS_PER_RECORD_MAX)} for a record, ${number(ERRORS_PER_REQUEST_MAX)} for an import`,
    '`errorsOmitted` counts the rest',
  ],
  ['unknown names of one object that are named', number(UNKNOWN_NAMES_MAX), 'one error for all of them'],
  ['time for which an `Idempotency-Key` is known', duration(RESPONSE_TTL_MS), 'the request counts as new'],
  ['length of a field', 'in the [schemas](README.md#operations), in code points after trimming', invalid],
];

const rates: readonly Limit[] = [
  [
    'requests of a key, and of an address without a valid key',
    `${setting('ROSTER_RATE_LIMIT')} a minute on all servers together`,
    limited,
  ],
  ['cost of an RPC batch', 'as many requests as it has calls', limited],
  ['cost of an import', `one request for every ${RECORDS_OF_REQUEST} records begun`, limited],
  ['cost of a change of all records that a filter selects', BULK_COST, limited],
  ['cost of a body', `one more request for every ${bytes(BYTES_OF_REQUEST)} after the first`, limited],
  [
    'lookups of unknown keys from one address',
    "what is left of the address's quota",
    `${limited}, without a query`,
  ],
];

const concurrency: readonly Limit[] = [
  [
    'requests that a server handles at the same time',
    `${setting('ROSTER_REQUESTS_MAX')}; one caller gets at most as many as are still free, at least ${SHARE_MIN}`,
    `${overloaded}, before anything is done`,
  ],
  [
    'how long requests are started in one iteration of the event loop',
    `${START_MS} ms; further ones start in the next iterations, one of each caller after the other`,
    `${overloaded}, for those of one caller beyond ${number(WAITING_PER_CALLER_MAX)} that wait`,
  ],
  [
    'open connections',
    `${setting('ROSTER_CONNECTIONS_MAX')}; half of them from one address unless proxies are trusted`,
    closed,
  ],
  ['request bodies of one key that are being received', number(bodies.perCallerMax), limited],
  [
    'bytes of request bodies in memory',
    `${bytes(bodies.bytesMax)}; a compressed body counts ${bytes(DECODER_BYTES)} more; one caller gets at most as much as is still free`,
    overloaded,
  ],
  ['time in which a client reads nothing of a response', duration(TIMEOUTS.stalledMs), closed],
  [
    'open event streams',
    `${number(streams.openMax)}; ${setting('ROSTER_STREAMS_PER_KEY_MAX')} for one key`,
    `${error(503, 'unavailable')}; ${limited}`,
  ],
  [
    'validation in one iteration of the event loop',
    `${number(UNITS_PER_ITERATION)} values; ${CHARACTERS_PER_UNIT} characters of a text count as one more`,
    'the rest waits for the next iteration',
  ],
  ['database checks of `/readyz`', `one in ${duration(CHECK_MS)}`, 'the last result'],
  [
    'log lines for rejected requests',
    `${REJECTION_LINES_MAX} a second for each of 401, 403, 429 and 503`,
    'one line counts the rest',
  ],
];

const database: readonly Limit[] = [
  ['a statement', setting('ROSTER_STATEMENT_TIMEOUT_MS', duration), `${timeout}, nothing is changed`],
  ['a wait for a lock', duration(LOCK_MS), `${timeout}, nothing is changed`],
  ['an idle transaction', duration(IDLE_TRANSACTION_MS), 'PostgreSQL ends it'],
  [
    'a wait for a connection, or until a read begins',
    setting('ROSTER_DATABASE_CONNECT_TIMEOUT_MS', duration),
    overloaded,
  ],
  [
    'connections for writes, transactions, lists and searches',
    setting('ROSTER_DATABASE_CONNECTIONS_MAX'),
    'the request waits',
  ],
  ['connections for reads of one record, key or session', String(PIPELINE_CONNECTIONS), 'reads share them'],
  ['connections that the lists and searches of one key hold', 'half of them', "the key's other reads wait"],
  ['lists and searches of one key that wait for that reason', number(WAITING_MAX), overloaded],
  [
    'agents that are deactivated with their office',
    `${number(AGENTS_AT_ONCE)} in one transaction, for ${duration(CALL_MAX_MS)} in one call`,
    `${error(503, 'unavailable')}; repeat the call to go on`,
  ],
  [
    'agents in one transaction: that one call transfers, or that a scheduled deactivation changes with their office',
    number(AGENTS_MAX),
    error(409, 'too_many_agents'),
  ],
  ['how far ahead a change can be scheduled', `${YEARS_MAX} years`, error(422, 'validation_failed')],
  [
    'how long after its time a scheduled change begins',
    duration(SCHEDULE_POLL_MS),
    'the next poll of any server makes it',
  ],
  [
    'attempts of a scheduled change, if the database cannot make it',
    number(ATTEMPTS_MAX),
    'it has failed (`change_failed`)',
  ],
];

/** The reference page of all limits, as Markdown. Every number is the constant or the setting that holds it. */
export function limitsPage(): string {
  const section = (title: string, limits: readonly Limit[]) => [
    `## ${title}`,
    table(['limit', 'value', 'beyond it'], limits),
  ];
  return page('Limits', [
    `A request beyond a limit is rejected before it has changed anything. A limit with a name in brackets is a
[setting](settings.md). [Protection against overload and abuse](../operations/overload.md) says which limits hold for a key, an
address or a server, and how to see who reaches them.`,
    ...section('Requests', requests),
    ...section('Input', input),
    ...section('What callers create', creationLimits),
    ...section('Rates', rates),
    ...section('Concurrency', concurrency),
    ...section('Database', database),
    ...section('Webhooks', webhooks),
    ...section('RESO Web API', reso),
  ]);
}
