import { CALLS_MAX } from '../../apps/server/src/http/limits/outbound-calls.ts';
import { LAG_WARNED_S } from '../../apps/server/src/workers/webhook-lag.ts';
import {
  CONCURRENCY,
  TOTAL_CONCURRENCY,
  TROUBLED_CONCURRENCY,
} from '../../packages/api/src/webhooks/delivery-slots.ts';
import { BODY_MAX_BYTES as MESSAGE_MAX_BYTES } from '../../packages/api/src/webhooks/message.ts';
import { WINDOW_MAX, WINDOW_MIN } from '../../packages/api/src/webhooks/receiver-windows.ts';
import { RETRY_DELAYS_MS } from '../../packages/api/src/webhooks/retry-schedule.ts';
import { TIMEOUT_MS as DNS_MS } from '../../packages/api/src/webhooks/sender/dns-resolver.ts';
import {
  BODY_TIMEOUT_MS,
  BODY_MAX_BYTES as REPLY_MAX_BYTES,
  TIMEOUT_MS,
} from '../../packages/api/src/webhooks/sender/http-sender.ts';
import { SLOW_AFTER_MS } from '../../packages/api/src/webhooks/sending/delivery-attempt.ts';
import { BACKLOG_MAX } from '../../packages/api/src/webhooks/sending/delivery-worker.ts';
import { TEST_TIMEOUT_S } from '../../packages/api/src/webhooks/test-delivery.ts';
import { error, type Limit, limited } from './limit-texts.ts';
import { bytes, duration, number } from './markdown.ts';

/** The limits of webhooks. */
export const webhooks: readonly Limit[] = [
  [
    'attempts',
    `${RETRY_DELAYS_MS.length + 1}, after pauses of ${RETRY_DELAYS_MS.map(duration).join(', ')}`,
    'the delivery has failed',
  ],
  ['an attempt', duration(TIMEOUT_MS), 'it counts as failed'],
  ['lookup of the name of a receiver', duration(DNS_MS), 'the attempt fails with `ETIMEOUT`'],
  [
    'the body of a response to an attempt',
    `${bytes(REPLY_MAX_BYTES)}, ${duration(BODY_TIMEOUT_MS)}`,
    'not read',
  ],
  ['a message', bytes(MESSAGE_MAX_BYTES), 'it is thin: without `record` and `previous`'],
  [
    'deliveries in progress on one server',
    `${CONCURRENCY} to quick webhooks, ${TROUBLED_CONCURRENCY} to slow (over ${duration(SLOW_AFTER_MS)}) or failing ones, ${TOTAL_CONCURRENCY} in all`,
    'later deliveries wait',
  ],
  [
    'deliveries of one webhook in progress',
    `${WINDOW_MIN} at first, up to ${WINDOW_MAX} while its receiver keeps up, one while it fails`,
    'later deliveries wait',
  ],
  ['deliveries of one webhook in the table', number(BACKLOG_MAX), 'the rest waits in the event log'],
  [
    'age of an event that was not sent although the receiver responds',
    duration(LAG_WARNED_S * 1_000),
    'a [warning](../operations/observability.md#the-log) in the log',
  ],
  [
    'tests',
    `one at a time for each webhook, ${CALLS_MAX} on one server, ${TEST_TIMEOUT_S} s each`,
    `${error(409, 'test_in_progress')}; ${limited}`,
  ],
];
