import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { resourceNames } from '../directory.ts';
import { rpcOnly } from '../engine/fields/schemas.ts';
import { decodedSchema } from '../engine/json/raw-json.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import type { Scope } from '../identity/access/scopes.ts';
import { describedRouter } from '../router.ts';
import type { Meta } from '../trpc/meta.ts';

/** The version of the API contract. A breaking change increases the major number. */
export const API_VERSION = '0.1.0';

/** A procedure and its REST operation. */
export interface Operation {
  /** The name in RPC, such as `offices.get`. */
  procedure: string;
  type: 'query' | 'mutation';
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path in REST, with `{name}` for its parameters. */
  path: `/${string}`;
  pathParameters: string[];
  /** Whether it has a body of JSON; then it has no query parameters. */
  hasBody: boolean;
  /** The media types of the file that is its body; undefined if it has none. */
  fileTypes: readonly string[] | undefined;
  /** The status of success. */
  status: 200 | 201 | 202 | 204;
  /** Whether the status is 207 if some records were rejected. */
  isPartial: boolean;
  /** The maximum size of the body, if it is not the one of all operations. */
  bodyMaxBytes: number | undefined;
  /** The scope that the caller needs; undefined if every caller may call it. */
  scope: Scope | undefined;
  /** Other scopes, each of which will do as well. */
  orScopes: readonly Scope[];
  /** Whether people need the role of a manager, or a higher one. */
  isManaged: boolean;
  errors: readonly ErrorCode[];
  /** The records that it is tried on; undefined if they are those of the operation that creates one. */
  example: Meta['example'];
  /** The schema of its input. */
  input: z.ZodType;
  /** Whether it reads or changes one record with a version. */
  isVersioned: boolean;
  /** Whether it returns one page of a list, with the links to its neighbours. */
  isPage: boolean;
  /** Whether it creates a record of the directory, which is compared with the others. */
  hasDuplicates: boolean;
  /** Whether it accepts an Idempotency-Key. */
  isRepeatable: boolean;
}

/** A subscription and its REST path, which sends server-sent events. */
export interface Stream {
  /** The name in RPC, such as `events.stream`. */
  procedure: string;
  path: `/${string}`;
  tags: string[];
  summary: string;
  description: string;
  scope: Scope;
  errors: readonly ErrorCode[];
  input: z.ZodType;
}

/** The definition of a procedure; the public type of tRPC has only a part of it. */
export interface Definition {
  type: 'query' | 'mutation' | 'subscription';
  meta: Meta;
  inputs: z.ZodType[];
  output: z.ZodType | undefined;
}

const isSchema = (parser: unknown) => parser instanceof z.ZodType;

/** Returns the definitions of all procedures of a router with their names, such as `offices.get`. */
export function definitionsOf(router: AnyTRPCRouter): { name: string; definition: Definition }[] {
  return Object.entries<AnyTRPCProcedure>(router._def.procedures).map(([name, { _def }]) => {
    const output = 'output' in _def && isSchema(_def.output) ? _def.output : undefined;
    const { type, meta = {}, inputs } = _def;
    return { name, definition: { type, meta: meta as Meta, inputs: inputs.filter(isSchema), output } };
  });
}

function hasField(name: string, type: z.ZodType | undefined): boolean {
  const schema = type && decodedSchema(type);
  return schema instanceof z.ZodObject && name in schema.shape;
}

/**
 * The error codes of an operation: those that it names, and those that follow from what it is. A response is repeated only if the caller
 * may still see the record that it shows; else that is not found.
 */
function errorsOf(
  named: readonly ErrorCode[],
  { input, pathParameters, isRepeatable }: Pick<Operation, 'input' | 'pathParameters' | 'isRepeatable'>,
): ErrorCode[] {
  const ofKind: ErrorCode[] = [
    ...(hasField('cursor', input) ? (['invalid_cursor', 'cursor_mismatch'] as const) : []),
    ...(isRepeatable ? (['idempotency_in_progress', 'idempotency_key_reused'] as const) : []),
    ...(isRepeatable || pathParameters.includes('id') ? (['not_found'] as const) : []),
  ];
  return [...new Set([...ofKind, ...named])];
}

function operationOf(procedure: string, { type, meta, inputs, output }: Definition): Operation {
  const {
    openapi,
    status,
    scope,
    orScopes = [],
    errors = [],
    isSecret,
    isPartial,
    isManaged,
    bodyMaxBytes,
    example,
  } = meta;
  const hasScope = scope !== undefined || meta.isForEveryCaller === true;
  if (openapi === undefined || !hasScope || (type !== 'query' && type !== 'mutation')) {
    throw new Error(`${procedure} has no REST path or no scope`);
  }
  const { method, path } = openapi;
  const [input] = inputs;
  if (input === undefined) throw new Error(`${procedure} has no input`);
  const pathParameters = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name);
  const isRepeatable = isSecret !== true && (method === 'POST' || method === 'PATCH');
  return {
    procedure,
    type,
    method,
    path,
    pathParameters,
    hasBody: method !== 'GET' && method !== 'DELETE' && meta.fileTypes === undefined,
    fileTypes: meta.fileTypes,
    status: status ?? 200,
    isPartial: isPartial === true,
    bodyMaxBytes,
    scope,
    orScopes,
    isManaged: isManaged === true,
    errors: errorsOf(errors, { input, pathParameters, isRepeatable }),
    example,
    input,
    isVersioned: hasField('version', output) || errors.includes('version_conflict'),
    isPage: hasField('nextCursor', output),
    hasDuplicates: status === 201 && resourceNames.some((name) => path === `/${name}`),
    isRepeatable,
  };
}

function streamOf(procedure: string, { meta, inputs: [input] }: Definition): Stream {
  const { stream, scope, errors = [] } = meta;
  if (stream === undefined || scope === undefined || input === undefined) {
    throw new Error(`${procedure} has no REST path, no scope or no input`);
  }
  return { procedure, ...stream, scope, errors, input };
}

/** The definitions of all procedures, by their names, in the order of the router. */
export const procedures = definitionsOf(describedRouter);

/** All operations of the service, derived from the router. */
export const operations: readonly Operation[] = procedures
  .filter(({ definition }) => definition.type !== 'subscription')
  .map(({ name, definition }) => operationOf(name, definition));

/** All subscriptions of the service. */
export const streams: readonly Stream[] = procedures
  .filter(({ definition }) => definition.type === 'subscription')
  .map(({ name, definition }) => streamOf(name, definition));

const parameters = new Map(
  [...operations, ...streams].map(({ procedure, input }) => {
    const names = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    return [procedure, names.filter((name) => !rpcOnly.includes(name))];
  }),
);

/** The names of what a procedure takes, without those that only RPC has; none if there is no such procedure. */
export function parametersOf(procedure: string): readonly string[] {
  return parameters.get(procedure) ?? [];
}
