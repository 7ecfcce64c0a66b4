import { z } from 'zod';
import { OneRecord } from '../engine/fields/schemas.ts';
import { requireRecord } from '../engine/list/find-record.ts';
import { listPage } from '../engine/list/list-records.ts';
import { ignoreUnchanged } from '../records/unchanged-fields.ts';
import { type Given, operationsOf } from '../trpc/init.ts';
import { proceduresOf } from '../trpc/procedure.ts';
import { shownRecord } from '../trpc/replay-authorization.ts';
import { webhooks } from './repository.ts';
import {
  NewWebhook,
  Webhook,
  WebhookDeliveryPage,
  WebhookDeliveryQuery,
  WebhookPage,
  WebhookPatch,
  WebhookQuery,
  WebhookReplay,
  WebhookRotation,
  WebhookTest,
  WebhookWithSecret,
} from './schemas.ts';
import {
  createWebhook,
  deleteWebhook,
  readDeliveries,
  replayWebhook,
  rotateWebhook,
  testWebhook,
  updateWebhook,
  type WebhookCollaborators,
} from './service.ts';

const operation = operationsOf('Webhooks');
const { procedureFor } = proceduresOf({ shownIn: shownRecord(webhooks) });
const manageProcedure = procedureFor('webhooks:manage').meta({ isManaged: true, isLimited: true });

/** The host never resolves and the event is rare, so that no data leaves the directory. */
const exampleWebhook = {
  url: 'https://webhooks.invalid/',
  description: 'Example webhook',
  types: ['office.purged'],
};

export const webhooksRouter = (sender: Given<WebhookCollaborators>) => ({
  list: manageProcedure
    .meta(
      operation('GET /webhooks', {
        summary: 'List webhooks',
        description: 'Lists webhooks, including disabled ones, without their secrets.',
      }),
    )
    .input(WebhookQuery)
    .output(WebhookPage)
    .query(({ ctx, input }) => listPage(ctx.db, { resource: webhooks, input, limit: ctx.limit })),

  create: manageProcedure
    .use(sender)
    .meta(
      operation('POST /webhooks', {
        summary: 'Create a webhook',
        description:
          'Creates a webhook. The signing secret is returned once; store it securely. Events are delivered at least once, ' +
          'in order for each record, with ten attempts over three days. You need read access to each type you select.',
        status: 201,
        isSecret: true,
        errors: ['cursor_expired', 'limit_reached', 'reference_not_found'],
        example: { requests: [{ method: 'POST', path: '/webhooks', body: exampleWebhook }] },
      }),
    )
    .input(NewWebhook)
    .output(WebhookWithSecret)
    .mutation(({ ctx, input }) => createWebhook(ctx, input)),

  get: manageProcedure
    .meta(
      operation('GET /webhooks/{id}', {
        summary: 'Read one webhook',
        description: 'Retrieves a webhook, with its position in the log and, if it is failing, since when.',
      }),
    )
    .input(OneRecord)
    .output(Webhook)
    .query(({ ctx, input }) => requireRecord(ctx.db, webhooks, { id: input.id, limit: ctx.limit })),

  delete: manageProcedure
    .meta(
      operation('DELETE /webhooks/{id}', {
        summary: 'Delete a webhook',
        description:
          'Deletes a webhook permanently, with its secrets and deliveries. To keep its position, disable the webhook instead.',
        status: 204,
      }),
    )
    .input(OneRecord)
    .output(z.void())
    .mutation(({ ctx, input }) => deleteWebhook(ctx, input.id)),

  update: manageProcedure
    .use(sender)
    .meta(
      operation('PATCH /webhooks/{id}', {
        summary: 'Change a webhook',
        description:
          'Updates the fields you send (JSON Merge Patch). A disabled webhook keeps its position and pending deliveries. A ' +
          'webhook that becomes active or gets a new URL resumes immediately.',
        errors: ['reference_not_found'],
      }),
    )
    .use((call) =>
      ignoreUnchanged(call, WebhookPatch, ({ db, limit }, id) => requireRecord(db, webhooks, { id, limit })),
    )
    .input(WebhookPatch)
    .output(Webhook)
    .mutation(({ ctx, input }) => updateWebhook(ctx, input)),

  rotate: manageProcedure
    .meta(
      operation('PUT /webhooks/{id}/rotate', {
        summary: 'Rotate the secret of a webhook',
        description:
          'Creates a new signing secret for a webhook. The new secret is returned once. During the overlap, messages are ' +
          'signed with both secrets.',
        isSecret: true,
      }),
    )
    .input(WebhookRotation)
    .output(WebhookWithSecret)
    .mutation(({ ctx, input }) => rotateWebhook(ctx, input)),

  test: manageProcedure
    .use(sender)
    .meta(
      operation('PUT /webhooks/{id}/test', {
        summary: 'Test a webhook',
        description:
          'Sends a test message of type `webhook.test` and returns the result within 5 seconds. Only one test per webhook ' +
          'can run at a time.',
        errors: ['test_in_progress'],
      }),
    )
    .input(OneRecord)
    .output(WebhookTest)
    .mutation(({ ctx, input }) => testWebhook(ctx, input.id)),

  deliveries: manageProcedure
    .meta(
      operation('GET /webhooks/{id}/deliveries', {
        summary: 'List the deliveries of a webhook',
        description:
          'Lists deliveries, newest first, with the results of their attempts. Finished deliveries are kept until their ' +
          'retention period ends.',
      }),
    )
    .input(WebhookDeliveryQuery)
    .output(WebhookDeliveryPage)
    .query(({ ctx, input }) => readDeliveries(ctx, input)),

  replay: manageProcedure
    .meta(
      operation('PUT /webhooks/{id}/replay', {
        summary: 'Replay events',
        description:
          'Delivers all events after a position again, in order and with the same `webhook-id`. The compacted part of the ' +
          'log only has the newest event of each record.',
        errors: ['cursor_expired'],
      }),
    )
    .input(WebhookReplay)
    .output(Webhook)
    .mutation(({ ctx, input }) => replayWebhook(ctx, input)),
});
