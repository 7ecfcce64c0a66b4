import { z } from 'zod';
import { urlRules } from '../engine/fields/contact.ts';
import { answeredId, forms, requiredText, text } from '../engine/fields/field.ts';
import { answeredTime, assignedId, logPlace, logPosition, RecordId } from '../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, SORT_DEFAULT, sortDocs } from '../engine/list/parameters.ts';
import { overlapField } from '../engine/secret-rotation.ts';
import { RecordEventType } from '../events/log/types.ts';
import { OfficeIds } from '../identity/access/roles.ts';
import { CreatedBy } from '../identity/keys/schemas.ts';
import { RETRY_DELAYS_MS } from './retry-schedule.ts';

const url = requiredText(
  { ...urlRules('an https URL'), pattern: forms.httpsUrl },
  {
    description:
      'Where messages are sent: an https URL without credentials, whose host is public ' +
      '(a setting of the service allows plain http and private networks)',
    example: 'https://hooks.example.com/roster',
  },
);
const description = text(
  { lengthMax: 500 },
  { description: 'What the webhook is for', example: 'Keeps the website up to date' },
);
const types = z
  .array(RecordEventType)
  .min(1)
  .max(50)
  .nullable()
  .meta({ description: 'The types of events that it receives; null for all', example: ['office.updated'] });

const officeIds = OfficeIds.meta({
  description:
    'The offices whose events it receives, with their branches; null for all. A caller that is limited to some offices may give ' +
    'those alone',
  example: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
});

const WebhookStatus = z.enum(['active', 'disabled']).meta({
  id: 'WebhookStatus',
  description: 'A disabled webhook keeps its position in the log and continues there when it is active again',
  example: 'active',
});

export const Webhook = z
  .strictObject({
    id: assignedId,
    url: url.output,
    description: description.output,
    types,
    officeIds,
    status: WebhookStatus,
    statusReason: z.string().nullable().meta({
      description: 'Why the service disabled it: the receiver answered 410',
      example: 'The receiver answered 410 Gone.',
    }),
    statusChangedAt: answeredTime('When it was last disabled or made active'),
    failingSince: answeredTime(
      'Since when all attempts have failed; null if the last one succeeded',
    ).nullable(),
    slowSince: answeredTime(
      'Since when every attempt has taken more than a second; null if the last one was quicker',
    ).nullable(),
    pausedUntil: answeredTime(
      'Until when no attempt is made because the receiver sent Retry-After; else null',
    ).nullable(),
    readTo: logPosition('The position in the event log up to which it has deliveries'),
    createdAt: answeredTime('When it was created'),
    createdBy: CreatedBy,
    updatedAt: answeredTime('When it was last changed by a caller'),
  })
  .meta({ id: 'Webhook', description: 'A URL that receives events' });
export type Webhook = z.infer<typeof Webhook>;

/** The only response with a secret: that of creating and of rotating a webhook. */
export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({
    description:
      'The secret that signs its messages (Standard Webhooks), which is shown only once. The service stores it unhashed to sign with it',
    example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  }),
}).meta({ id: 'WebhookWithSecret', description: 'A webhook with its new secret' });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

export const NewWebhook = z
  .strictObject({
    url: url.input,
    description: description.input.optional(),
    types: types.optional(),
    officeIds: officeIds.optional().meta({
      description:
        'The offices whose events it receives, with their branches; null for all. Unless given, those that the caller is limited to',
    }),
    after: logPlace(/^(latest|0|[1-9]\d{0,15})$/, 'latest, or the position of an event such as 42')
      .optional()
      .meta({
        description:
          'Where in the event log the webhook starts: after a position, at the start (`0`), or with changes that are not complete ' +
          'when the webhook is created (`latest`). Of the compacted part of the log it receives the newest event of each record. ' +
          'Defaults to `latest`',
        example: 'latest',
      }),
  })
  .meta({
    id: 'NewWebhook',
    description: 'A webhook to create',
    example: { url: 'https://hooks.example.com/roster', types: ['office.updated'] },
  });
export type NewWebhook = z.input<typeof NewWebhook>;

export const WebhookPatch = z
  .strictObject({
    id: RecordId,
    url: url.input.optional(),
    description: description.input.optional(),
    types: types.optional(),
    officeIds: officeIds.optional(),
    status: WebhookStatus.optional(),
  })
  .meta({
    id: 'WebhookPatch',
    description: 'What to change: JSON Merge Patch (RFC 7396)',
    example: { description: 'Keeps the website up to date' },
  });

export const WebhookRotation = z
  .strictObject({
    id: RecordId,
    overlapSeconds: overlapField('Seconds for which the previous secret signs too; a day unless given'),
  })
  .meta({
    id: 'WebhookRotation',
    description: 'How to rotate the secret; optional',
    example: { overlapSeconds: 3600 },
  });

export const WebhookReplay = z
  .strictObject({
    id: RecordId,
    after: logPlace(/^(0|[1-9]\d{0,15})$/, 'the position of an event such as 42').meta({
      description: 'The position after which everything is delivered again; `0` for the start of the log',
      example: '0',
    }),
  })
  .meta({ id: 'WebhookReplay', description: 'What to deliver again', example: { after: '0' } });

export const WebhookQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['url', '-url', 'createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'url' }),
});

export const WebhookPage = pageOf(Webhook, 'WebhookPage');

/** The result of sending one message once. */
export const Attempt = z
  .strictObject({
    at: answeredTime('When it started'),
    status: z
      .int()
      .min(100)
      .max(999)
      .nullable()
      .meta({ description: 'The status of the response; null without one', example: 503 }),
    durationMs: z.int32().min(0).meta({ description: 'The duration in milliseconds', example: 87 }),
    error: z.string().nullable().meta({
      description: 'Why the delivery failed; null if it succeeded',
      example: 'The receiver answered 503.',
    }),
    body: z
      .string()
      .nullable()
      .meta({ description: 'The first 500 characters of the response body', example: 'ok' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'The result of sending one message once' });
export type Attempt = z.infer<typeof Attempt>;

const messageId = z.string().meta({
  description: 'The `webhook-id` of the message: the same in every attempt and every replay',
  example: 'evt_4711',
});

export const WebhookTest = Attempt.extend({ messageId }).meta({
  id: 'WebhookTest',
  description: 'The result of a test',
});
export type WebhookTest = z.infer<typeof WebhookTest>;

const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'superseded']).meta({
  id: 'WebhookDeliveryStatus',
  description:
    'Pending until it is delivered or all attempts have failed; superseded if a replay, or a newer event of its record in ' +
    'the compacted log, replaces it, or if its event is of an office that the webhook no longer has',
  example: 'failed',
});

export const WebhookDelivery = z
  .strictObject({
    id: assignedId,
    messageId,
    position: logPosition('The position of the event'),
    type: z.string().meta({ description: 'The type of the event', example: 'office.updated' }),
    subject: answeredId('The id of the record'),
    status: DeliveryStatus,
    attempts: z.array(Attempt).meta({
      description: 'The attempts so far, oldest first',
      maxItems: RETRY_DELAYS_MS.length + 1,
    }),
    nextAttemptAt: answeredTime(
      'The time of the next or the running attempt; null if it is finished',
    ).nullable(),
    createdAt: answeredTime('When it was created'),
    finishedAt: answeredTime(
      'When it was delivered, failed or was superseded; null while it is pending',
    ).nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'The delivery of one event to one webhook' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryQuery = z.strictObject({
  id: RecordId,
  ...pageQuery,
  status: repeated(DeliveryStatus, { description: 'Only deliveries with this status', example: 'failed' }),
});

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDeliveryPage');
