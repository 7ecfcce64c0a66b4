import { readFileSync } from 'node:fs';
import { maxHeaderSize } from 'node:http';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BODY_MAX_BYTES, TIMEOUTS } from '../../apps/server/src/app.ts';
import { Environment } from '../../apps/server/src/config/config.ts';
import { URL_MAX_CHARACTERS } from '../../apps/server/src/http/hooks/lifecycle.ts';
import { PIPELINED_MAX } from '../../apps/server/src/http/hooks/served-connections.ts';
import { BODY_VALUES_MAX } from '../../apps/server/src/http/json.ts';
import { UPLOADS } from '../../apps/server/src/http/limits/file-uploads.ts';
import { LIMITS as streams } from '../../apps/server/src/http/limits/open-streams.ts';
import { BYTES_OF_REQUEST } from '../../apps/server/src/http/limits/rate-limit.ts';
import { LIMITS as bodies } from '../../apps/server/src/http/limits/request-bodies.ts';
import { BATCH_MAX } from '../../apps/server/src/http/rpc/routes.ts';
import { creations, ownerMaxOf } from '../../packages/api/src/access/creation-limits.ts';
import { PENDING_MAX } from '../../packages/api/src/engine/fields/scheduled-changes.ts';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../packages/api/src/engine/list/parameters.ts';
import { RANKED_MAX } from '../../packages/api/src/engine/search/relevance.ts';
import { SEARCH_WORDS_MAX } from '../../packages/api/src/engine/search/search.ts';
import { ERRORS_PER_RECORD_MAX, ERRORS_PER_REQUEST_MAX } from '../../packages/api/src/errors/issue-text.ts';
import { PASSKEYS_MAX } from '../../packages/api/src/identity/passkeys/service.ts';
import { SESSIONS_MAX } from '../../packages/api/src/identity/sessions/service.ts';
import { BODY_MAX_BYTES as IMPORT_MAX_BYTES } from '../../packages/api/src/imports/router.ts';
import { FILE_MAX_BYTES, ROWS_MAX } from '../../packages/api/src/imports/schemas.ts';
import { RECORDS_MAX } from '../../packages/api/src/jobs/schemas.ts';
import { AGENTS_MAX } from '../../packages/api/src/offices/transfer.ts';
import { CHECKED_MAX } from '../../packages/api/src/records/try-change.ts';
import { YEARS_MAX } from '../../packages/api/src/schedule/effective-time.ts';
import { RECORDS_OF_REQUEST } from '../../packages/api/src/trpc/authorization.ts';
import { RESPONSE_TTL_MS } from '../../packages/api/src/trpc/idempotency.ts';
import { ITEMS_MAX, LEVELS_MAX, NAMES_MAX, VALUES_MAX } from '../../packages/api/src/trpc/input-limits.ts';
import { TOTAL_CONCURRENCY } from '../../packages/api/src/webhooks/delivery-slots.ts';
import { BODY_MAX_BYTES as MESSAGE_MAX_BYTES } from '../../packages/api/src/webhooks/message.ts';
import { RETRY_DELAYS_MS } from '../../packages/api/src/webhooks/retry-schedule.ts';
import { TIMEOUT_MS } from '../../packages/api/src/webhooks/sender/http-sender.ts';
import { ROW_MAX } from '../../packages/import/src/rows.ts';
import { limits as odata } from '../../packages/odata/src/limits.ts';
import * as reso from '../../packages/reso/src/protocol/limits.ts';

const KIB = 1_024;
const MIB = KIB * KIB;
const HOUR_MS = 3_600_000;

const number = (value: number) => value.toLocaleString('en');
const kib = (bytes: number) => `${number(bytes / KIB)} KiB`;
const mib = (bytes: number) => `${number(bytes / MIB)} MiB`;
const seconds = (milliseconds: number) => `${milliseconds / 1_000} s`;
const years = (count: number) => `${count} years`;

/** The default of a setting. */
const setting = (name: keyof typeof Environment.shape) => Number(Environment.shape[name].parse(undefined));

const createdOf = (name: 'keys' | 'views' | 'invitations' | 'jobs' | 'scheduledChanges') => {
  const { max } = creations[name];
  return [number(max), number(ownerMaxOf(name, max))];
};

/** What the row of each limit says, in its order. */
const limits: readonly [row: string, ...values: string[]][] = [
  ['body of a request', kib(BODY_MAX_BYTES)],
  ['values in a JSON body', number(BODY_VALUES_MAX)],
  ['file of an import', mib(FILE_MAX_BYTES), number(ROWS_MAX), mib(ROW_MAX)],
  ['files received at once', number(UPLOADS.max), number(UPLOADS.perCallerMax)],
  ['body of an import of records', mib(IMPORT_MAX_BYTES), number(ITEMS_MAX)],
  ['URL', number(URL_MAX_CHARACTERS)],
  ['headers', kib(maxHeaderSize)],
  ['time to send the headers, and the request', seconds(TIMEOUTS.headersMs), seconds(TIMEOUTS.requestMs)],
  ['calls in an RPC batch', number(BATCH_MAX)],
  ['records in a page of a list', number(LIMIT_MAX), number(LIMIT_DEFAULT)],
  ['words of a search', number(SEARCH_WORDS_MAX)],
  ['records of a list by relevance', number(RANKED_MAX)],
  ['records of a job', number(RECORDS_MAX), number(CHECKED_MAX)],
  [
    'names in an object, items in a list, values in a record',
    number(NAMES_MAX),
    number(ITEMS_MAX),
    number(VALUES_MAX),
  ],
  ['levels of nesting', number(LEVELS_MAX)],
  ['errors in a response', number(ERRORS_PER_RECORD_MAX), number(ERRORS_PER_REQUEST_MAX)],
  ['time an `Idempotency-Key` is kept', `${RESPONSE_TTL_MS / HOUR_MS} h`],
  ['agents in one transfer', number(AGENTS_MAX)],
  ['how far ahead a change can be scheduled', years(YEARS_MAX)],
  [
    'webhooks',
    number(setting('ROSTER_WEBHOOKS_MAX')),
    number(ownerMaxOf('webhooks', setting('ROSTER_WEBHOOKS_MAX'))),
  ],
  ['keys', ...createdOf('keys')],
  ['saved views', ...createdOf('views')],
  ['open invitations', ...createdOf('invitations')],
  ['running jobs', ...createdOf('jobs')],
  [
    'pending scheduled changes',
    number(creations.scheduledChanges.max),
    number(PENDING_MAX),
    ...createdOf('scheduledChanges').slice(1),
  ],
  ['passkeys of a person', number(PASSKEYS_MAX)],
  ['sessions', number(SESSIONS_MAX)],
  ['requests of a key, or of an address without one', number(setting('ROSTER_RATE_LIMIT'))],
  ['cost of an import', number(RECORDS_OF_REQUEST)],
  ['cost of a body', kib(BYTES_OF_REQUEST)],
  ['requests handled at once by a server', number(setting('ROSTER_REQUESTS_MAX'))],
  ['open connections', number(setting('ROSTER_CONNECTIONS_MAX'))],
  ['requests of one connection without a response (pipelining)', number(PIPELINED_MAX)],
  ['open event streams', number(streams.openMax), number(setting('ROSTER_STREAMS_PER_KEY_MAX'))],
  ['request bodies in memory', mib(bodies.bytesMax)],
  ['a statement in the database', seconds(setting('ROSTER_STATEMENT_TIMEOUT_MS'))],
  ['waiting for a connection to the database', seconds(setting('ROSTER_DATABASE_CONNECT_TIMEOUT_MS'))],
  [
    'attempts of a delivery',
    number(RETRY_DELAYS_MS.length + 1),
    seconds(Math.min(...RETRY_DELAYS_MS)),
    `${Math.max(...RETRY_DELAYS_MS) / HOUR_MS} h`,
  ],
  ['an attempt', seconds(TIMEOUT_MS)],
  ['a message', kib(MESSAGE_MAX_BYTES)],
  ['deliveries in progress', number(TOTAL_CONCURRENCY)],
  ['records in a page', number(reso.PAGE_SIZE_MAX), number(reso.PAGE_SIZE)],
  ['cost of a page', number(reso.RECORDS_OF_REQUEST)],
  ['`$skip`', number(reso.SKIP_MAX)],
  [
    'comparisons, levels of a `$filter`; values of an `in`',
    number(odata.termsMax),
    number(odata.depthMax),
    number(odata.valuesMax),
  ],
];

const page = readFileSync(join(import.meta.dirname, '../../docs/reference.md'), 'utf8');
const [, tables = ''] = /^## Limits$([\s\S]*?)^## /m.exec(page) ?? [];
const rows = new Map(
  Array.from(tables.matchAll(/^\| (.+?) \| (.*) \|$/gm), ([, name = '', cells = '']) => [name, cells]),
);

it.each(limits)('the reference says of "%s" what the code does', (row, ...values) => {
  const pattern = values.map((value) => `(?<![\\d,])${value}(?!\\d|,\\d)`).join('.*');
  expect(rows.get(row)).toMatch(new RegExp(pattern));
});

it('every limit of the reference is compared with the code', () => {
  const named = [...rows.keys()].filter((name) => name !== 'limit' && !name.startsWith('---'));
  expect(named.sort()).toEqual(limits.map(([row]) => row).sort());
});
