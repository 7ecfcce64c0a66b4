import type { WebhookWithSecret } from '@roster/client';
import { type CasesOf, fewChoices, idCases, onlyKnown, UNKNOWN } from './case.ts';
import type { Fixtures } from './isolated-service.ts';

/** No server listens there. */
const unreachable = 'http://127.0.0.1:9/hook';
/** No such event happens here, so that no webhook has deliveries while the cases run. */
const quiet = ['office.purged'] as const;

/** Creates a unique webhook. */
function aWebhook({ client, unique }: Fixtures): Promise<WebhookWithSecret> {
  return client.webhooks.create.mutate({ url: `${unreachable}/${unique()}`, types: [...quiet] });
}

async function idOf(fixtures: Fixtures): Promise<{ id: string }> {
  return { id: (await aWebhook(fixtures)).id };
}

async function aCursor(fixtures: Fixtures): Promise<string | undefined> {
  for (const _ of [1, 2]) await aWebhook(fixtures);
  return (await fixtures.client.webhooks.list.query({ limit: 1, sort: 'url' })).nextCursor;
}

const unknownField = {
  title: 'an unknown field',
  errorCode: 'validation_failed',
  except: onlyKnown,
} as const;
const unknownParameter = {
  title: 'an unknown parameter',
  errorCode: 'invalid_parameter',
  except: onlyKnown,
} as const;

/** The cases of webhooks. */
export const webhookCases: CasesOf = {
  list: [
    {
      title: 'a page',
      input: async (fixtures) => ({ limit: 3, sort: 'url', cursor: await aCursor(fixtures) }),
    },
    { title: 'a limit that is not a number', errorCode: 'invalid_parameter', input: () => ({ limit: 'x' }) },
    {
      title: 'an invalid sort',
      errorCode: 'invalid_parameter',
      input: () => ({ sort: 'status' }),
      except: fewChoices,
    },
    { ...unknownParameter, input: () => ({ status: 'active' }) },
    { title: 'an invalid cursor', errorCode: 'invalid_cursor', input: () => ({ cursor: 'x' }) },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ cursor: await aCursor(fixtures), sort: '-url' }),
    },
  ],
  create: [
    {
      title: 'a webhook with all fields',
      input: () => ({
        url: unreachable,
        description: 'Website',
        types: [...quiet, 'agent.purged'],
        after: '0',
      }),
    },
    { title: 'an empty body', errorCode: 'validation_failed', input: () => ({}) },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: () => ({ url: 7, description: true, types: ['office.burnt'], after: '-1' }),
    },
    {
      title: 'a URL with credentials',
      errorCode: 'validation_failed',
      input: () => ({ url: 'https://ana:x@hooks.example.com/' }),
    },
    {
      title: 'an office that does not exist',
      errorCode: 'reference_not_found',
      input: () => ({ url: unreachable, types: quiet, officeIds: [UNKNOWN] }),
    },
    {
      title: 'unknown fields',
      errorCode: 'validation_failed',
      input: () => ({ url: unreachable, secret: 'whsec_mine', status: 'active' }),
    },
    {
      title: 'a cursor beyond the end of the log',
      errorCode: 'cursor_expired',
      input: () => ({ url: unreachable, after: '999999999999' }),
    },
  ],
  get: [
    { title: 'a webhook', input: idOf },
    { ...unknownParameter, input: async (fixtures) => ({ ...(await idOf(fixtures)), secret: 'true' }) },
    ...idCases(),
  ],
  delete: [
    { title: 'a webhook', input: idOf },
    { ...unknownParameter, input: async (fixtures) => ({ ...(await idOf(fixtures)), force: 'true' }) },
    ...idCases(),
  ],
  update: [
    {
      title: 'every field',
      input: async (fixtures) => ({
        ...(await idOf(fixtures)),
        url: `${unreachable}/moved`,
        description: 'Moved',
        types: ['agent.purged'],
        status: 'disabled',
      }),
    },
    {
      title: 'an office that does not exist',
      errorCode: 'reference_not_found',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), officeIds: [UNKNOWN] }),
    },
    {
      title: 'what can be cleared',
      input: async (fixtures) => ({
        ...(await idOf(fixtures)),
        description: null,
        types: null,
        status: 'disabled',
      }),
    },
    {
      title: 'wrong types and values',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), url: null, types: [], status: 'gone' }),
    },
    {
      title: 'a URL of another scheme',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), url: 'ftp://hooks.example.com/' }),
    },
    {
      title: 'unknown fields',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), readTo: 0 }),
    },
    ...idCases({ description: 'x' }),
  ],
  rotate: [
    {
      title: 'a webhook',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), overlapSeconds: 60 }),
    },
    { title: 'a webhook, with the usual overlap', input: idOf },
    {
      title: 'an overlap out of bounds',
      errorCode: 'validation_failed',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), overlapSeconds: -1 }),
    },
    { ...unknownField, input: async (fixtures) => ({ ...(await idOf(fixtures)), secret: 'whsec_mine' }) },
    ...idCases(),
  ],
  test: [
    { title: 'a webhook whose receiver cannot be reached', input: idOf },
    { ...unknownField, input: async (fixtures) => ({ ...(await idOf(fixtures)), type: 'office.created' }) },
    ...idCases(),
  ],
  deliveries: [
    {
      title: 'a page',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), limit: 3, status: ['failed', 'pending'] }),
    },
    {
      title: 'an invalid status',
      errorCode: 'invalid_parameter',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), status: 'lost' }),
      except: fewChoices,
    },
    { ...unknownParameter, input: async (fixtures) => ({ ...(await idOf(fixtures)), sort: 'createdAt' }) },
    {
      title: 'an invalid cursor',
      errorCode: 'invalid_cursor',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), cursor: 'x' }),
    },
    {
      title: 'a cursor of another list',
      errorCode: 'cursor_mismatch',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), cursor: await aCursor(fixtures) }),
    },
    ...idCases(),
  ],
  replay: [
    { title: 'from the start', input: async (fixtures) => ({ ...(await idOf(fixtures)), after: '0' }) },
    { title: 'without a start', errorCode: 'validation_failed', input: idOf },
    {
      title: 'from beyond the end of the log',
      errorCode: 'cursor_expired',
      input: async (fixtures) => ({ ...(await idOf(fixtures)), after: '999999999999' }),
    },
    {
      ...unknownField,
      input: async (fixtures) => ({ ...(await idOf(fixtures)), after: '0', types: 'office.created' }),
    },
    ...idCases({ after: '0' }),
  ],
};
