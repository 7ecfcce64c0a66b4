import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import type { Scope } from '../api-keys/scopes.ts';
import type { ErrorCode } from '../errors/error-codes.ts';
import { decodedSchema } from '../resources/json/raw-json.ts';
import { appRouter } from '../root.ts';
import type { Meta } from '../trpc/meta.ts';

/** One procedure as REST sees it. */
export interface Operation {
  /** The name in RPC, such as `offices.get`. */
  procedure: string;
  type: 'query' | 'mutation';
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path in REST, with `{name}` for its parameters. */
  path: `/${string}`;
  pathParameters: string[];
  /** Whether it reads a body; where it does, the query holds nothing. */
  hasBody: boolean;
  /** The status of success. */
  status: 200 | 201 | 204;
  /** Whether the status is 207 where some of what was asked for was refused. */
  isPartial: boolean;
  /** How large a body may be, where that is not what every operation takes. */
  bodyMaxBytes: number | undefined;
  /** What the key of a caller must be allowed to do. */
  scope: Scope;
  errors: readonly ErrorCode[];
  /** The schema of its input. */
  input: z.ZodType;
  /** Whether it answers, or changes, one record that has versions. */
  isVersioned: boolean;
  /** Whether it answers one page of a list. */
  isPage: boolean;
  /** Whether it takes an Idempotency-Key. */
  isRepeatable: boolean;
}

/** One subscription as REST sees it: server-sent events. */
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

/** The definition of a procedure, of which its public type names a part only. */
interface Definition {
  type: 'query' | 'mutation' | 'subscription';
  meta: Meta;
  inputs: z.ZodType[];
  output: z.ZodType | undefined;
}

const isSchema = (parser: unknown) => parser instanceof z.ZodType;

/** Reads the definitions of all procedures of a router, each with its name, such as `offices.get`. */
export function definitionsOf(router: AnyTRPCRouter): { name: string; definition: Definition }[] {
  return Object.entries<AnyTRPCProcedure>(router._def.procedures).map(([name, { _def }]) => {
    const output = 'output' in _def && isSchema(_def.output) ? _def.output : undefined;
    const { type, meta = {}, inputs } = _def;
    return { name, definition: { type, meta: meta as Meta, inputs: inputs.filter(isSchema), output } };
  });
}

function answers(name: string, output: z.ZodType | undefined): boolean {
  const schema = output && decodedSchema(output);
  return schema instanceof z.ZodObject && name in schema.shape;
}

function operationOf(procedure: string, { type, meta, inputs, output }: Definition): Operation {
  const { openapi, status, scope, errors, isSecret, isPartial, bodyMaxBytes } = meta;
  if (openapi === undefined || scope === undefined || (type !== 'query' && type !== 'mutation')) {
    throw new Error(`${procedure} has no place in REST or no scope`);
  }
  const { method, path } = openapi;
  const [input] = inputs;
  if (input === undefined) throw new Error(`${procedure} has no input`);
  return {
    procedure,
    type,
    method,
    path,
    pathParameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    hasBody: method !== 'GET' && method !== 'DELETE',
    status: status ?? 200,
    isPartial: isPartial === true,
    bodyMaxBytes,
    scope,
    errors: errors ?? [],
    input,
    isVersioned: answers('version', output) || errors?.includes('version_conflict') === true,
    isPage: answers('items', output),
    isRepeatable: isSecret !== true && (method === 'POST' || method === 'PATCH'),
  };
}

function streamOf(procedure: string, { meta, inputs: [input] }: Definition): Stream {
  const { stream, scope, errors = [] } = meta;
  if (stream === undefined || scope === undefined || input === undefined) {
    throw new Error(`${procedure} has no place in REST, no scope or no input`);
  }
  return { procedure, ...stream, scope, errors, input };
}

const procedures = definitionsOf(appRouter);

/** Every operation of the service, read off the router once. */
export const operations: readonly Operation[] = procedures
  .filter(({ definition }) => definition.type !== 'subscription')
  .map(({ name, definition }) => operationOf(name, definition));

/** Every subscription of the service. */
export const streams: readonly Stream[] = procedures
  .filter(({ definition }) => definition.type === 'subscription')
  .map(({ name, definition }) => streamOf(name, definition));
