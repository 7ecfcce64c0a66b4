import { openApiDocument } from '@roster/api';

/** The changes of the document with which "Test Request" on the page of the operations succeeds without editing. */

type Json = Record<string, unknown>;

/** The path parameter in place of an id: the page finds or creates a record for it. */
const EXAMPLE_ID = 'example';

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The page would send every parameter that has an example, so optional ones are disabled. */
function shownParameter(parameter: Json): Json {
  const { example, ...rest } = parameter;
  if (parameter.in === 'path') {
    const description = `${parameter.description}. \`${EXAMPLE_ID}\` stands for any record: one that exists for a read, one that this page creates first for a change`;
    return { ...rest, description, example: EXAMPLE_ID, schema: { type: 'string' } };
  }
  if (parameter.required === true || example === undefined) return parameter;
  return { ...rest, examples: { example: { value: example, 'x-disabled': true } } };
}

function withShownParameters(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withShownParameters);
  if (!isObject(part)) return part;
  if (typeof part.in === 'string' && isObject(part.schema)) return shownParameter(part);
  return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, withShownParameters(inner)]));
}

/** The OpenAPI document for the page: the same but for the initial values of its forms. */
export function pageDocument(): object {
  const { paths, components, info, ...document } = openApiDocument({ baseUrl: '/' });
  const { description } = info as { description: string };
  return {
    ...document,
    info: {
      ...(info as Json),
      description: `${description}\n\nThe OpenAPI document: [/openapi.json](/openapi.json).`,
    },
    paths: withShownParameters(paths),
    components: { ...(components as Json), parameters: withShownParameters((components as Json).parameters) },
  };
}

/**
 * Removes the header of a request for which no key is filled in: the page would send the scheme alone, which stands before the
 * cookie of a person who is signed in. It runs in the page, as the source text that the page gets.
 */
export const useSession = ({ request }: { request: Request }): void => {
  if (!/^bearer ./i.test(request.headers.get('Authorization') ?? '')) request.headers.delete('Authorization');
};

interface SentByPage {
  /** The request that the page is about to send. */
  request: Request;
  requestBuilder: { path: { variables: Record<string, string> }; body?: { value?: unknown } | null };
}

/**
 * Replaces `example` in the path of a request of the page by the id of a record: for a read of the first one, otherwise of
 * one that is created for it, so that to try out a change never changes an existing record. A transfer goes to an office that
 * is created for it. Uses the key of the request, or without one the session of the person who is signed in. It runs in the page, which gets its source text, so it must not use anything
 * from outside itself.
 */
export const useExampleRecord = async ({ request, requestBuilder }: SentByPage): Promise<void> => {
  const { path, body: given } = requestBuilder;
  const { variables } = path;
  if (variables.id !== 'example') return;
  const { origin, pathname } = new URL(request.url);
  const [, prefix = '', resource = '', action = ''] =
    /^(.*)\/([\w-]+)\/example(?:\/([\w-]+)(?:\/example)?)?$/.exec(pathname) ?? [];
  const collection = `${origin}${prefix}/${resource}`;
  const sent = request.headers.get('Authorization') ?? '';
  const key = /^bearer (.+)$/i.exec(sent)?.[1];
  const headers: Record<string, string> = key === undefined ? {} : { Authorization: sent };
  const call = async (method: string, url: string, body?: object) => {
    const type = { 'Content-Type': 'application/json' };
    const sent =
      body === undefined ? { headers } : { headers: { ...headers, ...type }, body: JSON.stringify(body) };
    const response = await fetch(url, { method, ...sent });
    const text = await response.text();
    const answer = text === '' ? {} : JSON.parse(text);
    // The page shows the message in place of a response.
    if (!response.ok)
      throw new Error(`No example record: ${answer.detail ?? response.status} Put an id in its place.`);
    return answer;
  };
  if (request.method === 'GET') {
    const { items } = await call('GET', `${collection}?limit=1`);
    if (items.length > 0) {
      variables.id = items[0].id;
      return;
    }
  }
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
  const examples: Record<string, object> = {
    offices: { name: 'Example office' },
    agents: { firstName: 'Example', lastName: 'Agent' },
    teams: { name: 'Example team' },
    keys: { name: 'Example key', scopes: ['offices:read'], expiresAt: inAnHour },
    views: { name: 'Example view', resource: 'agents' },
    // With a host that never resolves and a rare event, so that no data leaves the directory.
    webhooks: { url: 'https://webhooks.invalid/', description: 'Example webhook', types: ['office.purged'] },
  };
  const invited = `example-${crypto.randomUUID()}@roster.invalid`;
  examples.people = { name: 'Example person', email: invited, grants: [{ role: 'viewer' }] };
  const create = async (name: string): Promise<string> =>
    (await call('POST', `${origin}${prefix}/${name}`, examples[name])).id;
  // Scheduled changes and jobs are made by changes of other records, sessions by signing in.
  const createFor: Record<string, () => Promise<string>> = {
    'scheduled-changes': async () => {
      const agent = `${origin}${prefix}/agents/${await create('agents')}`;
      return (await call('PUT', `${agent}/deactivate`, { effectiveAt: inAnHour })).scheduledChanges[0].id;
    },
    sessions: async () => {
      if (sent !== null)
        await call('POST', `${origin}${prefix}/sign-in/key`, { key: sent.slice('Bearer '.length) });
      return (await call('GET', `${collection}?limit=1`)).items[0].id;
    },
    jobs: async () => {
      const none = { filter: { mlsId: ['example'], status: ['inactive'] }, change: { type: 'reactivate' } };
      const job = await call('POST', `${origin}${prefix}/offices/bulk`, { ...none, expectedCount: 0 });
      // Only a job that has ended can be undone.
      for (let status = job.status; action === 'undo' && /^(queued|running)$/.test(status); ) {
        await new Promise((resolve) => setTimeout(resolve, 200));
        status = (await call('GET', `${collection}/${job.id}`)).status;
      }
      return job.id;
    },
  };
  const id = await (createFor[resource]?.() ?? create(resource));
  if (action === 'restore') await call('DELETE', `${collection}/${id}`);
  if (action.startsWith('transfer') && typeof given?.value === 'string') {
    const office = await create('offices');
    given.value = given.value.replace('01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', office);
  }
  if (variables.agentId === 'example') variables.agentId = await create('agents');
  variables.id = id;
};
