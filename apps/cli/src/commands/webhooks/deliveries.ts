import type { WebhookDelivery } from '@roster/client';
import { columnsOf } from '../../contract/columns.ts';
import { otherListCommand } from '../lists.ts';

export const deliveriesCommand = otherListCommand({
  operation: 'deliveries',
  isOfOne: true,
  names: () => ['delivery', 'deliveries'],
  columns: () =>
    columnsOf<WebhookDelivery>(['messageId', 'type', 'status', 'subject', 'finishedAt', 'nextAttemptAt']),
});
