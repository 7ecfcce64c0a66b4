import { kebab } from '../../apps/cli/src/contract/fields.ts';
import { records } from '../../packages/contract/src/records.ts';
import { page, table } from './markdown.ts';
import { kindOf, nameOf, type Operation, openApi, parameterOf, responseOf, type Schema } from './openapi.ts';

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

const routes: Route[] = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
);

/** Codes that every operation may answer with, which are said once. */
const shared = new Set(
  codesOf(routes[0]?.operation).filter((code) =>
    routes.every(({ operation }) => codesOf(operation).includes(code)),
  ),
);

function codesOf(operation: Operation | undefined): string[] {
  const texts = Object.values(operation?.responses ?? {}).map((given) => responseOf(given).description);
  return texts.flatMap((text) => Array.from(text.matchAll(/`(\w+)`:/g), ([, code = '']) => code));
}

const procedureOf = ({ operationId }: Operation) => operationId.replace('-', '.');

/** The command that calls an operation, with a link to its page. */
function commandOf(operation: Operation): string {
  const [resource = '', verb = ''] = procedureOf(operation).split('.');
  if (resource === 'imports' && verb in records) return `[\`roster api ${resource}.${verb}\`](cli/README.md)`;
  if (resource === 'imports' && verb === 'upload')
    return Object.keys(records)
      .map((name) => `[\`roster ${name} import\`](cli/${name}.md)`)
      .join(', ');
  const [group, name] = [kebab(resource), verb === 'stream' ? 'tail' : kebab(verb)];
  return `[\`roster ${group} ${name}\`](cli/${group}.md)`;
}

function successOf({ responses }: Operation): [string, string] {
  const successes = Object.entries(responses).filter(([code]) => code.startsWith('2'));
  const [status = '', response] = successes.find(([code]) => code === '202') ?? successes[0] ?? [];
  const { content: contents = {} } = response === undefined ? {} : responseOf(response);
  const [type, content] = Object.entries(contents)[0] ?? [];
  const { schema } = content ?? {};
  if (schema?.$ref !== undefined) return [status, kindOf(schema)];
  return [status, type === undefined ? 'no body' : `\`${type}\``];
}

const anchorOf = (operation: Operation) => procedureOf(operation).replace('.', '').toLowerCase();
const errorLink = (code: string) => `[\`${code}\`](errors.md#${code})`;

function scopesOf(operation: Operation): string {
  const { 'x-required-scopes': all = [], 'x-alternative-scopes': either = [] } = operation;
  const named = (scopes: string[]) => scopes.map((scope) => `\`${scope}\``);
  return [...named(all), ...(either.length > 0 ? [named(either).join(' or ')] : [])].join(', ');
}

function summaryTable(tag: string): string {
  const rows = routes
    .filter(({ operation }) => operation.tags.includes(tag))
    .map(({ method, path, operation }) => [
      `[\`${procedureOf(operation)}\`](#${anchorOf(operation)})`,
      `\`${method} ${path}\``,
      commandOf(operation),
      scopesOf(operation),
      successOf(operation).join(' '),
    ]);
  return table(['procedure', 'REST', 'command', 'scope', 'success'], rows);
}

function parameterTable({ parameters = [] }: Operation): string {
  const rows = parameters
    .map(parameterOf)
    .map(({ name, in: place, required, description = '', schema }) => [
      `\`${name}\``,
      required === true ? `${place}, required` : place,
      kindOf(schema),
      description,
    ]);
  return rows.length === 0 ? '' : table(['parameter', 'in', 'type', 'meaning'], rows);
}

function bodyLine({ requestBody }: Operation): string {
  if (requestBody === undefined) return '';
  const [content] = Object.values(requestBody.content);
  const schema = content?.schema.$ref === undefined ? 'JSON' : kindOf(content.schema);
  return `Body${requestBody.required === true ? '' : ' (optional)'}: ${schema}.`;
}

function errorLine(operation: Operation): string {
  const codes = [...new Set(codesOf(operation))].filter((code) => !shared.has(code));
  return codes.length === 0 ? '' : `Errors: ${codes.map(errorLink).join(', ')}.`;
}

function operationSection({ method, path, operation }: Route): string {
  const [status, answer] = successOf(operation);
  return [
    `### ${procedureOf(operation)}`,
    `\`${method} ${path}\``,
    `${operation.summary}. ${operation.description}`,
    parameterTable(operation),
    bodyLine(operation),
    `Success: ${status} ${answer}.`,
    errorLine(operation),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function schemaSection(name: string, schema: Schema): string {
  const { properties, description, required = [] } = schema;
  const parts = [`### ${name}`, description === undefined ? '' : `${description}.`];
  if (properties === undefined)
    return [...parts, `${kindOf(schema)}`].filter((part) => part !== '').join('\n\n');
  const rows = Object.entries(properties).map(([field, one]) => [
    `\`${field}\`${required.includes(field) ? '' : '?'}`,
    kindOf(one),
    one.description ?? openApi.components.schemas[nameOf(one.$ref ?? '')]?.description ?? '',
  ]);
  return [...parts, table(['field', 'type', 'meaning'], rows)].filter((part) => part !== '').join('\n\n');
}

/** The reference page of all operations and of the JSON they take and answer, as Markdown. */
export function operationsPage(): string {
  const note = '`node scripts/generate/reference.ts operations` prints this page.';
  const tags = openApi.tags.map(({ name, description }) => [
    `## ${name}`,
    `${description}.`,
    summaryTable(name),
    ...routes.filter(({ operation }) => operation.tags.includes(name)).map(operationSection),
  ]);
  return page(
    'Operations',
    [
      `Every operation is a procedure of RPC (tRPC, at \`/trpc\`), a path of REST and a command. All three call the same code. A
service has this page as \`/openapi.json\` (OpenAPI 3.1), and for people at \`/docs\`.

\`/healthz\` and \`/readyz\` need no key and are on the page [Health](../operations/health.md).

Errors that any operation may answer with: ${[...shared].map(errorLink).join(', ')}.`,
      ...tags.flat(),
      '## Schemas',
      'A field with a question mark may be absent.',
      ...Object.entries(openApi.components.schemas).map(([name, schema]) => schemaSection(name, schema)),
    ],
    note,
  );
}
