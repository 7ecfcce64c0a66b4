import { errorCodes, neededScopes, operations, Problem } from '@roster/api';
import { jsonSchemaOf } from '@roster/api/contract';
import { type Definition, decodedSchema, procedures } from '@roster/api/openapi';
import { resolve, type Schema } from '@roster/fields/read';
import type { z } from 'zod';
import { declarationOf, docstring, typeOf } from './typescript.ts';

const definitions = procedures.map(({ name, definition }) => ({ name, ...definition }));

const types = new Map<string, Schema>();

/** Registers a named schema, which must have the same type as an input and as an output. */
function register(name: string, schema: Schema): void {
  const known = types.get(name);
  if (known !== undefined && typeOf(known) !== typeOf(schema))
    throw new Error(`${name} has two different types`);
  types.set(name, known ?? schema);
}

/** Schemas that have no name of their own because the document has their values in each place. */
const names = new Map([[Problem.shape.code, 'ProblemCode']]);

/** The JSON Schema of an input or an output. Registers the named schemas in it. */
function schemaOf(type: z.ZodType, io: 'input' | 'output'): Schema {
  const { $defs, ...schema } = jsonSchemaOf(type, io, names);
  for (const [name, definition] of Object.entries($defs ?? {})) register(name, definition);
  return schema;
}

/** The schema of the input of a procedure. */
function inputSchemaOf({ inputs: [input] }: Definition): Schema {
  if (input === undefined) throw new Error('Each procedure has an input');
  return schemaOf(input, 'input');
}

/** The input of a list has no name in the schemas: it is named after the page. */
function inputTypeOf(definition: Definition, output: string): string {
  const schema = inputSchemaOf(definition);
  const page = /^(\w+)Page$/.exec(output)?.[1];
  if (schema.$ref !== undefined || page === undefined) return typeOf(schema);
  register(`${page}Query`, {
    description: 'Which records, in which order, and how many on a page',
    ...schema,
  });
  return `${page}Query`;
}

/** Whether a procedure requires no field, so that the type lets its input be left out. */
function requiresNothing({ inputs: [input] }: Definition): boolean {
  if (input === undefined) return false;
  const { $defs = {}, ...schema } = jsonSchemaOf(input, 'input');
  return (resolve(schema, $defs).required ?? []).length === 0;
}

/** A procedure without an output has a schema without a type. */
function outputTypeOf({ output }: Definition): string {
  if (output === undefined) throw new Error('Each procedure but a stream has an output');
  const type = typeOf(schemaOf(decodedSchema(output), 'output'));
  return type === 'unknown' ? 'void' : type;
}

const kinds = {
  query: 'TRPCQueryProcedure',
  mutation: 'TRPCMutationProcedure',
  subscription: 'TRPCSubscriptionProcedure',
};

/** The types of input and output of a procedure. The event stream has no output schema, because each event has its own. */
function typesOf(definition: Definition & { name: string }): { input: string; output: string } {
  if (definition.type !== 'subscription') {
    const output = outputTypeOf(definition);
    return { input: inputTypeOf(definition, output), output };
  }
  if (definition.name !== 'events.stream')
    throw new Error(`${definition.name}: the type of its events is unknown`);
  register('EventStreamQuery', {
    description: 'Which events, and after which cursor',
    ...inputSchemaOf(definition),
  });
  return { input: 'EventStreamQuery', output: 'AsyncIterable<{ id: string; data: Event }, void, unknown>' };
}

function procedureOf(definition: Definition & { name: string }): string {
  const { name, type, meta } = definition;
  const documented = meta.openapi ?? meta.stream;
  if (documented === undefined) throw new Error(`${name} has no description`);
  const { summary, description } = documented;
  const own = (meta.errors ?? []).map((reason) => `\`${reason}\``).join(', ');
  const { input, output } = typesOf(definition);
  const scopes = [meta.scope, ...(meta.orScopes ?? [])].filter((scope) => scope !== undefined);
  const needs = neededScopes(scopes);
  const lines = [`${summary}. ${description}`, needs];
  const docs = docstring(...lines, ...(own === '' ? [] : [`Errors: ${own}.`]));
  const verb = name.split('.').at(-1);
  const given = requiresNothing(definition) ? `${input} | undefined` : input;
  return `${docs}${verb}: ${kinds[type]}<{ input: ${given}; output: ${output}; meta: object }>;`;
}

function routerType(): string {
  const resources = Map.groupBy(definitions, ({ name }) => name.split('.')[0]);
  const members = [...resources].map(
    ([resource, procedures]) => `${resource}: {\n${procedures.map(procedureOf).join('\n\n')}\n};`,
  );
  return `{\n${members.join('\n')}\n}`;
}

/** The types of the service in plain TypeScript, for applications without its sources and libraries. */
export function clientTypes(): string {
  const router = routerType();
  schemaOf(Problem, 'output');
  register('ProblemCode', {
    description: 'The error codes of the service',
    enum: Object.keys(errorCodes),
  });
  const named = [...types]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, type]) => declarationOf(name, type));
  return `// Generated from the schemas of the service by packages/contract.
import type {
  TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODE_NUMBER, TRPCBuiltRouter, TRPCMutationProcedure, TRPCQueryProcedure,
  TRPCSubscriptionProcedure,
} from '@trpc/server';

${named.join('\n')}
${docstring('An error in RPC: the code and message of tRPC, and the problem document, which is the body in REST.')}export type ErrorShape = {
  message: string;
  code: TRPC_ERROR_CODE_NUMBER;
  data: { code: TRPC_ERROR_CODE_KEY; httpStatus: number; path?: string; problem: Problem };
};

${docstring('All procedures of the service, in the types of tRPC.')}export type AppRouter = TRPCBuiltRouter<
  { ctx: object; meta: object; errorShape: ErrorShape; transformer: false },
  ${router}
>;
`;
}

/** The procedures that accept an idempotency key, as a module of the client. */
export function repeatableProcedures(): string {
  const names = operations.filter(({ isRepeatable }) => isRepeatable).map(({ procedure }) => procedure);
  return `// Generated from the schemas of the service by packages/contract.
${docstring('The procedures that accept an idempotency key.')}export const repeatable: ReadonlySet<string> = new Set(${JSON.stringify(names)});
`;
}
