import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import type { Scope } from '../access/scopes.ts';
import { resourceNames } from '../directory/registry.ts';
import { rpcOnly } from '../engine/fields/schemas.ts';
import { decodedSchema } from '../engine/json/raw-json.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { describedRouter } from '../router.ts';
import type { Meta } from '../trpc/init.ts';

/** A breaking change increases the major number. */
export const API_VERSION = '0.1.0';

export interface Operation {
  procedure: string;
  type: 'query' | 'mutation';
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: `/${string}`;
  pathParameters: string[];
  hasBody: boolean;
  fileTypes: readonly string[] | undefined;
  status: 200 | 201 | 202 | 204;
  isPartial: boolean;
  mayStartJob: boolean;
  bodyMaxBytes: number | undefined;
  takesReadFields: boolean;
  scope: Scope | undefined;
  orScopes: readonly Scope[];
  isManaged: boolean;
  errors: readonly ErrorCode[];
  /** Undefined for the example of the operation that creates the record. */
  example: Meta['example'];
  input: z.ZodType;
  isVersioned: boolean;
  isPage: boolean;
  hasDuplicates: boolean;
  isRepeatable: boolean;
}

export interface Stream {
  procedure: string;
  path: `/${string}`;
  tags: string[];
  summary: string;
  description: string;
  scope: Scope;
  errors: readonly ErrorCode[];
  input: z.ZodType;
}

export interface Definition {
  type: 'query' | 'mutation' | 'subscription';
  meta: Meta;
  inputs: z.ZodType[];
  output: z.ZodType | undefined;
}

const isSchema = (parser: unknown) => parser instanceof z.ZodType;

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

/** A stored response is only repeated while its record is visible; otherwise it is not found. */
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
    mayStartJob,
    isManaged,
    bodyMaxBytes,
    takesReadFields = false,
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
    mayStartJob: mayStartJob === true,
    bodyMaxBytes,
    takesReadFields,
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

export const procedures = definitionsOf(describedRouter);

export const operations: readonly Operation[] = procedures
  .filter(({ definition }) => definition.type !== 'subscription')
  .map(({ name, definition }) => operationOf(name, definition));

export const streams: readonly Stream[] = procedures
  .filter(({ definition }) => definition.type === 'subscription')
  .map(({ name, definition }) => streamOf(name, definition));

const parameters = new Map(
  [...operations, ...streams].map(({ procedure, input }) => {
    const names = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    return [procedure, names.filter((name) => !rpcOnly.includes(name))];
  }),
);

export function parametersOf(procedure: string): readonly string[] {
  return parameters.get(procedure) ?? [];
}
