import type { WebhookWithSecret } from '@roster/client';
import { type CasesOf, fewChoices, idCases, onlyKnown } from './case.ts';
import type { Stage } from './isolated-service.ts';

/** Nobody listens there. */
const nobody = 'http://127.0.0.1:9/hook';
/** Nothing of this happens here, so that no webhook has anything to do while the cases run. */
const quiet = ['office.purged'] as const;

/** A new webhook, like no other. */
function aWebhook({ client, unique }: Stage): Promise<WebhookWithSecret> {
  return client.webhooks.create.mutate({ url: `${nobody}/${unique()}`, types: [...quiet] });
}

async function idOf(stage: Stage): Promise<{ id: string }> {
  return { id: (await aWebhook(stage)).id };
}

async function aCursor(stage: Stage): Promise<string | undefined> {
  for (const _ of [1, 2]) await aWebhook(stage);
  return (await stage.client.webhooks.list.query({ limit: 1, sort: 'url' })).nextCursor;
}

const unknownField = {
  title: 'a field that is none',
  refusal: 'validation_failed',
  except: onlyKnown,
} as const;
const unknownParameter = {
  title: 'a parameter that is none',
  refusal: 'invalid_parameter',
  except: onlyKnown,
} as const;

/** Everything about webhooks. */
export const webhookCases: CasesOf = {
  list: [
    { title: 'a page', input: async (stage) => ({ limit: 3, sort: 'url', cursor: await aCursor(stage) }) },
    { title: 'a limit that is no number', refusal: 'invalid_parameter', input: () => ({ limit: 'x' }) },
    {
      title: 'a sort that is none',
      refusal: 'invalid_parameter',
      input: () => ({ sort: 'status' }),
      except: fewChoices,
    },
    { ...unknownParameter, input: () => ({ status: 'active' }) },
    { title: 'a cursor that is none', refusal: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      refusal: 'cursor_mismatch',
      input: async (stage) => ({ cursor: await aCursor(stage), sort: '-url' }),
    },
  ],
  create: [
    {
      title: 'a webhook with all there is to say',
      input: () => ({ url: nobody, description: 'Website', types: [...quiet, 'agent.purged'], after: '0' }),
    },
    { title: 'nothing at all', refusal: 'validation_failed', input: () => ({}) },
    {
      title: 'wrong types and values',
      refusal: 'validation_failed',
      input: () => ({ url: 7, description: true, types: ['office.burnt'], after: '-1' }),
    },
    {
      title: 'a URL with credentials',
      refusal: 'validation_failed',
      input: () => ({ url: 'https://ana:x@hooks.example.com/' }),
    },
    {
      title: 'fields that are none',
      refusal: 'validation_failed',
      input: () => ({ url: nobody, secret: 'whsec_mine', status: 'active' }),
    },
    {
      title: 'a place beyond the end of the log',
      refusal: 'cursor_expired',
      input: () => ({ url: nobody, after: '999999999999' }),
    },
  ],
  get: [
    { title: 'a webhook', input: idOf },
    { ...unknownParameter, input: async (stage) => ({ ...(await idOf(stage)), secret: 'true' }) },
    ...idCases(),
  ],
  delete: [
    { title: 'a webhook', input: idOf },
    { ...unknownParameter, input: async (stage) => ({ ...(await idOf(stage)), force: 'true' }) },
    ...idCases(),
  ],
  update: [
    {
      title: 'every field',
      input: async (stage) => ({
        ...(await idOf(stage)),
        url: `${nobody}/moved`,
        description: 'Moved',
        types: ['agent.purged'],
        status: 'disabled',
      }),
    },
    {
      title: 'what can be cleared',
      input: async (stage) => ({
        ...(await idOf(stage)),
        description: null,
        types: null,
        status: 'disabled',
      }),
    },
    {
      title: 'wrong types and values',
      refusal: 'validation_failed',
      input: async (stage) => ({ ...(await idOf(stage)), url: null, types: [], status: 'gone' }),
    },
    {
      title: 'a URL of another scheme',
      refusal: 'validation_failed',
      input: async (stage) => ({ ...(await idOf(stage)), url: 'ftp://hooks.example.com/' }),
    },
    {
      title: 'fields that are none',
      refusal: 'validation_failed',
      input: async (stage) => ({ ...(await idOf(stage)), readTo: 0 }),
    },
    ...idCases({ description: 'x' }),
  ],
  rotate: [
    {
      title: 'a webhook',
      input: async (stage) => ({ ...(await idOf(stage)), overlapSeconds: 60 }),
    },
    { title: 'a webhook, with the usual overlap', input: idOf },
    {
      title: 'an overlap out of bounds',
      refusal: 'validation_failed',
      input: async (stage) => ({ ...(await idOf(stage)), overlapSeconds: -1 }),
    },
    { ...unknownField, input: async (stage) => ({ ...(await idOf(stage)), secret: 'whsec_mine' }) },
    ...idCases(),
  ],
  test: [
    { title: 'a webhook where nobody listens', input: idOf },
    { ...unknownField, input: async (stage) => ({ ...(await idOf(stage)), type: 'office.created' }) },
    ...idCases(),
  ],
  deliveries: [
    {
      title: 'a page',
      input: async (stage) => ({ ...(await idOf(stage)), limit: 3, status: ['failed', 'pending'] }),
    },
    {
      title: 'a status that is none',
      refusal: 'invalid_parameter',
      input: async (stage) => ({ ...(await idOf(stage)), status: 'lost' }),
      except: fewChoices,
    },
    { ...unknownParameter, input: async (stage) => ({ ...(await idOf(stage)), sort: 'createdAt' }) },
    {
      title: 'a cursor that is none',
      refusal: 'invalid_cursor',
      input: async (stage) => ({ ...(await idOf(stage)), cursor: 'x' }),
    },
    {
      title: 'a cursor of another list',
      refusal: 'cursor_mismatch',
      input: async (stage) => ({ ...(await idOf(stage)), cursor: await aCursor(stage) }),
    },
    ...idCases(),
  ],
  replay: [
    { title: 'from the start', input: async (stage) => ({ ...(await idOf(stage)), after: '0' }) },
    { title: 'from nowhere', refusal: 'validation_failed', input: idOf },
    {
      title: 'from beyond the end of the log',
      refusal: 'cursor_expired',
      input: async (stage) => ({ ...(await idOf(stage)), after: '999999999999' }),
    },
    {
      ...unknownField,
      input: async (stage) => ({ ...(await idOf(stage)), after: '0', types: 'office.created' }),
    },
    ...idCases({ after: '0' }),
  ],
};
