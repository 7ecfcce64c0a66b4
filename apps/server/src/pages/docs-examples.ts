import { type Operation, operations } from '@roster/api';

type OperationExample = NonNullable<Operation['example']>;
type Made = Extract<OperationExample, { requests: unknown }>;

/** Replaced when the page sends its form. */
export const EXAMPLE = 'example';

export interface PageExample {
  /** A list whose first record will do, because the operation changes nothing. */
  list?: string;
  reason?: string;
  requests: Made['requests'];
  path: Record<string, string>;
  body: Record<string, string>;
}

function collectionOf(path: string): string {
  return path.slice(0, path.indexOf('/{id}'));
}

export function exampleOf(operation: Operation): PageExample | undefined {
  const ownBody = operation.example !== undefined && 'body' in operation.example;
  if (!operation.pathParameters.includes('id') && !ownBody) return undefined;
  const collection = collectionOf(operation.path);
  const ofCollection = operations.filter(({ path }) => path === collection);
  const example = operation.example ?? ofCollection.find(({ method }) => method === 'POST')?.example;
  if (example === undefined) throw new Error(`${operation.procedure} has no example to try it on`);
  if ('reason' in example) return { reason: example.reason, requests: [], path: {}, body: {} };
  const isListed = operation.method === 'GET' && ofCollection.some(({ isPage }) => isPage);
  return {
    ...(isListed && { list: collection }),
    requests: example.requests,
    path: { id: '{1/id}', ...example.path },
    body: example.body ?? {},
  };
}

declare const alert: (message: string) => void;

interface SentByPage {
  request: Request;
  requestBuilder: {
    path: { raw: string; variables: Record<string, string> };
    body?: { value?: unknown } | null;
  };
}

/**
 * Trying out a change must never change an existing record: it gets one made for it. Runs in the page, which gets its source text, so
 * it must not use anything from outside.
 */
export const useExample = async ({ request, requestBuilder }: SentByPage): Promise<void> => {
  const { path, body: given } = requestBuilder;
  const { variables } = path;
  const isMade = (value: unknown) => typeof value === 'string' && value.includes('"example"');
  if (!Object.values(variables).includes('example') && !isMade(given?.value)) return;
  const { paths } = (await (await fetch('/docs/openapi.json')).json()) as {
    paths: Record<string, Record<string, { 'x-example'?: PageExample }>>;
  };
  const example = paths[path.raw]?.[request.method.toLowerCase()]?.['x-example'];
  if (example === undefined) return;
  /** In a dialog: the page logs what is thrown and shows nothing. */
  const fail = (reason: string) => {
    const error = new Error(`No example: ${reason} Put an ID in its place.`);
    alert(error.message);
    return error;
  };
  if (example.reason !== undefined) throw fail(example.reason);
  const sent = request.headers.get('Authorization') ?? '';
  const responses: unknown[] = [];
  const pointed = (value: unknown, pointer: string): unknown =>
    pointer
      .split('/')
      .reduce<unknown>(
        (part, name) => (name === '' ? part : (part as Record<string, unknown> | null | undefined)?.[name]),
        value,
      );
  const values: Record<string, string | undefined> = {
    email: `example-${crypto.randomUUID()}@roster.invalid`,
    phone: `+35191${String(crypto.getRandomValues(new Uint32Array(1))[0])
      .padStart(7, '0')
      .slice(-7)}`,
    inAnHour: new Date(Date.now() + 3_600_000).toISOString(),
    key: /^bearer (.+)$/i.exec(sent)?.[1],
  };
  const filled = (text: string) =>
    text.replaceAll(/\{(\d+|[a-zA-Z]+)((?:\/\w+)*)\}/g, (_, name: string, pointer: string) => {
      const value = pointer === '' ? values[name] : pointed(responses[Number(name) - 1], pointer);
      if (value === undefined) throw fail(`it needs a ${name}.`);
      return String(value);
    });
  const call = async (method: string, url: string, content?: object | string): Promise<unknown> => {
    const headers = new Headers(values.key === undefined ? {} : { Authorization: sent });
    if (content !== undefined)
      headers.set('Content-Type', typeof content === 'string' ? 'text/csv' : 'application/json');
    const body =
      typeof content === 'object' ? filled(JSON.stringify(content)) : (content as string | undefined);
    const response = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
    const text = await response.text();
    const result = text === '' ? {} : JSON.parse(text);
    if (!response.ok) throw fail(result.detail ?? `${response.status}.`);
    return result;
  };
  if (example.list !== undefined) {
    const first = pointed(await call('GET', `${example.list}?limit=1`), '/items/0/id');
    if (first !== undefined) {
      variables.id = String(first);
      return;
    }
  }
  for (const { method, path: url, body, until } of example.requests) {
    let result = await call(method, filled(url), body);
    for (let tries = 0; until !== undefined && (pointed(result, until) ?? null) === null; tries += 1) {
      if (tries === 150) throw fail('the server has not made it in time.');
      await new Promise((resolve) => setTimeout(resolve, 200));
      result = await call(method, filled(url), body);
    }
    responses.push(result);
  }
  for (const [name, text] of Object.entries(example.path))
    if (variables[name] === 'example') variables[name] = filled(text);
  if (typeof given?.value !== 'string' || Object.keys(example.body).length === 0) return;
  const fields = JSON.parse(given.value);
  for (const [name, text] of Object.entries(example.body))
    if (fields[name] === 'example') fields[name] = filled(text);
  given.value = JSON.stringify(fields);
};
