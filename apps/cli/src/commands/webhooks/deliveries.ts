import type { WebhookDelivery } from '@roster/client';
import { columnsOf } from '../../contract/columns.ts';
import { otherListCommand } from '../lists.ts';

/** `deliveries <id>`: the past and pending deliveries of a webhook; `--json` includes each attempt. */
export const deliveriesCommand = otherListCommand({
  operation: 'deliveries',
  isOfOne: true,
  names: () => ['delivery', 'deliveries'],
  columns: () =>
    columnsOf<WebhookDelivery>(['messageId', 'type', 'status', 'subject', 'finishedAt', 'nextAttemptAt']),
});
