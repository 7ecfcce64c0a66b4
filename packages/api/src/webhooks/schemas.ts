import { z } from 'zod';
import { CreatedBy } from '../access/actors.ts';
import { OfficeIds } from '../access/roles.ts';
import { overlapField } from '../access/secret.ts';
import { urlRules } from '../engine/fields/contact.ts';
import { forms, requiredText, returnedId, text } from '../engine/fields/field.ts';
import { assignedId, logPlace, logPosition, RecordId, returnedTime } from '../engine/fields/schemas.ts';
import { pageOf, pageQuery, repeated, SORT_DEFAULT, sortDocs } from '../engine/list/parameters.ts';
import { RecordEventType } from '../log/types.ts';
import { RETRY_DELAYS_MS } from './retry-schedule.ts';

const url = requiredText(
  { ...urlRules('an https URL'), pattern: forms.httpsUrl },
  {
    description:
      'URL that receives messages: `https`, without credentials, on a public host (operators can allow plain `http` ' +
      'and private networks)',
    example: 'https://hooks.example.com/roster',
  },
);
const description = text(
  { lengthMax: 500 },
  { description: "Description of the webhook's purpose", example: 'Keeps the website up to date' },
);
const types = z
  .array(RecordEventType)
  .min(1)
  .max(50)
  .nullable()
  .meta({ description: 'Event types to receive; `null` for all', example: ['office.updated'] });

const officeIds = OfficeIds.meta({
  description:
    'Offices whose events to receive, with their branches; `null` for all. You can only set offices you have access to.',
  example: ['01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11'],
});

const WebhookStatus = z.enum(['active', 'disabled']).meta({
  id: 'WebhookStatus',
  description:
    'Status of the webhook. A disabled webhook keeps its position in the log and resumes there when reactivated.',
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
      description: 'Reason the service disabled the webhook: the receiver returned 410',
      example: 'The receiver returned 410 Gone.',
    }),
    statusChangedAt: returnedTime('When the status last changed'),
    failingSince: returnedTime(
      'Since when all attempts have failed; `null` if the last attempt succeeded',
    ).nullable(),
    slowSince: returnedTime(
      'Since when every attempt has taken more than a second; `null` if the last attempt was quicker',
    ).nullable(),
    pausedUntil: returnedTime(
      "Until when deliveries are paused by the receiver's `Retry-After`; otherwise `null`",
    ).nullable(),
    readTo: logPosition('Position in the event log up to which deliveries exist'),
    createdAt: returnedTime('When the webhook was created'),
    createdBy: CreatedBy,
    updatedAt: returnedTime('When the webhook was last changed by a request'),
  })
  .meta({ id: 'Webhook', description: 'A URL that receives events' });
export type Webhook = z.infer<typeof Webhook>;

/** The secret is only in the responses of creating and rotating a webhook. */
export const WebhookWithSecret = Webhook.extend({
  secret: z.string().meta({
    description:
      'Signing secret (Standard Webhooks), returned only once. The service stores it unhashed to sign messages.',
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
        'Offices whose events to receive, with their branches; `null` for all. Defaults to any offices ' +
        'you are restricted to.',
    }),
    after: logPlace(/^(latest|0|[1-9]\d{0,15})$/, 'latest, or the position of an event such as 42')
      .optional()
      .meta({
        description:
          "Where to start: an event's position, `0` for the start of the log, or `latest`. Defaults to `latest`.",
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
    description: 'Fields to change, as JSON Merge Patch (RFC 7396)',
    example: { description: 'Keeps the website up to date' },
  });

export const WebhookRotation = z
  .strictObject({
    id: RecordId,
    overlapSeconds: overlapField('Seconds the previous secret remains in use. Defaults to a day.'),
  })
  .meta({
    id: 'WebhookRotation',
    description: 'Optional overlap for the rotation',
    example: { overlapSeconds: 3600 },
  });

export const WebhookReplay = z
  .strictObject({
    id: RecordId,
    after: logPlace(/^(0|[1-9]\d{0,15})$/, 'the position of an event such as 42').meta({
      description: 'Position after which to deliver events again; `0` for the start of the log',
      example: '0',
    }),
  })
  .meta({ id: 'WebhookReplay', description: 'Events to deliver again', example: { after: '0' } });

export const WebhookQuery = z.strictObject({
  ...pageQuery,
  sort: z
    .enum(['url', '-url', 'createdAt', '-createdAt'])
    .default(SORT_DEFAULT)
    .meta({ ...sortDocs, example: 'url' }),
});

export const WebhookPage = pageOf(Webhook, 'WebhookPage');

export const Attempt = z
  .strictObject({
    at: returnedTime('When the attempt started'),
    status: z
      .int()
      .min(100)
      .max(999)
      .nullable()
      .meta({ description: 'HTTP status of the response; `null` if there was none', example: 503 }),
    durationMs: z.int32().min(0).meta({ description: 'Duration in milliseconds', example: 87 }),
    error: z.string().nullable().meta({
      description: 'Reason the delivery failed; `null` if it succeeded',
      example: 'The receiver returned 503.',
    }),
    body: z
      .string()
      .nullable()
      .meta({ description: 'First 500 characters of the response body', example: 'ok' }),
  })
  .meta({ id: 'WebhookAttempt', description: 'Result of sending a message once' });
export type Attempt = z.infer<typeof Attempt>;

const messageId = z.string().meta({
  description: 'The `webhook-id` of the message, the same in every attempt and replay',
  example: 'evt_4711',
});

export const WebhookTest = Attempt.extend({ messageId }).meta({
  id: 'WebhookTest',
  description: 'Result of a test',
});
export type WebhookTest = z.infer<typeof WebhookTest>;

const DeliveryStatus = z.enum(['pending', 'delivered', 'failed', 'superseded']).meta({
  id: 'WebhookDeliveryStatus',
  description:
    '`pending`, then `delivered`, or `failed` after all attempts; `superseded` if replaced by a replay or newer ' +
    'event, or deselected',
  example: 'failed',
});

export const WebhookDelivery = z
  .strictObject({
    id: assignedId,
    messageId,
    position: logPosition('Position of the event'),
    type: z.string().meta({ description: 'Type of the event', example: 'office.updated' }),
    subject: returnedId('ID of the record'),
    status: DeliveryStatus,
    attempts: z.array(Attempt).meta({
      description: 'Attempts so far, oldest first',
      maxItems: RETRY_DELAYS_MS.length + 1,
    }),
    nextAttemptAt: returnedTime('Time of the next or current attempt; `null` if finished').nullable(),
    createdAt: returnedTime('When the delivery was created'),
    finishedAt: returnedTime(
      'When the delivery finished: delivered, failed or superseded; `null` while pending',
    ).nullable(),
  })
  .meta({ id: 'WebhookDelivery', description: 'Delivery of an event to a webhook' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export const WebhookDeliveryQuery = z.strictObject({
  id: RecordId,
  ...pageQuery,
  status: repeated(DeliveryStatus, { description: 'Filter by status', example: 'failed' }),
});

export const WebhookDeliveryPage = pageOf(WebhookDelivery, 'WebhookDeliveryPage');
