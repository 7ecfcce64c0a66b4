import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Environment } from '../../apps/server/src/config/config.ts';
import { LIMITS as streams } from '../../apps/server/src/http/limits/open-streams.ts';
import { GRANT_OFFICES_MAX, GRANTS_MAX } from '../../packages/api/src/access/roles.ts';
import { SCORE_DEFAULT, SCORE_MIN } from '../../packages/api/src/duplicates/score.ts';
import { PENDING_MAX } from '../../packages/api/src/engine/fields/scheduled-changes.ts';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../packages/api/src/engine/list/parameters.ts';
import { RANKED_MAX } from '../../packages/api/src/engine/search/relevance.ts';
import { INVITATION_DAYS_MAX } from '../../packages/api/src/identity/invitations/schemas.ts';
import { PASSKEYS_MAX } from '../../packages/api/src/identity/passkeys/service.ts';
import { SESSIONS_MAX } from '../../packages/api/src/identity/sessions/service.ts';
import { FILE_MAX_BYTES, ROWS_MAX } from '../../packages/api/src/imports/schemas.ts';
import { BATCH_SIZE } from '../../packages/api/src/jobs/record-sets.ts';
import { RECORDS_MAX } from '../../packages/api/src/jobs/schemas.ts';
import { AGENTS_AT_ONCE } from '../../packages/api/src/offices/next-agents.ts';
import { AGENTS_MAX } from '../../packages/api/src/offices/transfer.ts';
import { CHECKED_MAX } from '../../packages/api/src/records/try-change.ts';
import { RECORDS_OF_REQUEST } from '../../packages/api/src/trpc/authorization.ts';
import { RESPONSE_TTL_MS } from '../../packages/api/src/trpc/idempotency.ts';
import { WINDOW_MAX, WINDOW_MIN } from '../../packages/api/src/webhooks/delivery-slots.ts';
import { BODY_MAX_BYTES } from '../../packages/api/src/webhooks/message.ts';
import { TIMEOUT_MS } from '../../packages/api/src/webhooks/sender/http-sender.ts';

const number = (value: number) => value.toLocaleString('en');

/** The default of a setting. */
const setting = (name: keyof typeof Environment.shape) => Number(Environment.shape[name].parse(undefined));

const retention = `\`ROSTER_RETENTION_DAYS\` (${setting('ROSTER_RETENTION_DAYS')} by default)`;
const file = `${number(FILE_MAX_BYTES / 1_024 ** 2)} MiB and ${number(ROWS_MAX)} rows`;

/** Phrases of the guides with a number of the code. */
const numbers: [page: string, ...phrases: string[]][] = [
  [
    'concepts/lists-and-search',
    `${LIMIT_DEFAULT} records by default and ${LIMIT_MAX} at most`,
    `at most ${RANKED_MAX} records`,
  ],
  [
    'concepts/records-and-states',
    retention,
    `covers ${AGENTS_AT_ONCE} agents`,
    `at most ${number(AGENTS_MAX)}`,
    `${PENDING_MAX} pending changes`,
  ],
  [
    'concepts/events-and-webhooks',
    `\`ROSTER_HISTORY_DAYS\` (${setting('ROSTER_HISTORY_DAYS')} by default)`,
    `every ${streams.heartbeatMs / 1_000} seconds`,
    `2xx within ${TIMEOUT_MS / 1_000} seconds`,
    `${WINDOW_MIN} messages at a time, up to ${WINDOW_MAX}`,
    `over ${BODY_MAX_BYTES / 1_024} KiB`,
  ],
  ['concepts/imports', file],
  [
    'concepts/jobs',
    retention,
    `(up to ${number(RECORDS_MAX)})`,
    `batches of ${BATCH_SIZE}`,
    `first ${CHECKED_MAX} records`,
  ],
  [
    'concepts/access',
    `${GRANTS_MAX} grants of up to ${GRANT_OFFICES_MAX} offices`,
    `${INVITATION_DAYS_MAX} at most`,
    `can have ${PASSKEYS_MAX}`,
    `can have ${SESSIONS_MAX} sessions`,
  ],
  ['concepts/duplicates', `score of at least ${SCORE_DEFAULT}`, `go down to ${SCORE_MIN}`],
  ['concepts/versions-and-history', `within ${RESPONSE_TTL_MS / 3_600_000} hours`],
  ['how-to/api', `${setting('ROSTER_RATE_LIMIT')} requests a minute`, `every ${RECORDS_OF_REQUEST} records`],
  ['how-to/import-and-export', file],
  ['operations/run', `(${setting('ROSTER_REQUESTS_MAX')} by default)`],
];

const docs = join(import.meta.dirname, '../../docs');

it.each(numbers)('%s has the numbers of the code', (page, ...phrases) => {
  const flat = readFileSync(join(docs, `${page}.md`), 'utf8').replaceAll(/\s+/g, ' ');
  expect(phrases.filter((phrase) => !flat.includes(phrase))).toEqual([]);
});

it.each(readdirSync(join(docs, 'concepts')))('the concept %s is read in 1,000 words', (name) => {
  const words = readFileSync(join(docs, 'concepts', name), 'utf8')
    .trim()
    .split(/\s+/);
  expect(words.length).toBeLessThanOrEqual(1_000);
});
