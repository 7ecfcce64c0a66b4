import type { AnyTRPCProcedure } from '@trpc/server';
import type { OpenApiMethod } from 'trpc-to-openapi';
import type { Reason } from './errors.ts';
import type { Scope } from './keys/scopes.ts';
import { appRouter } from './router.ts';
import type { Meta } from './trpc.ts';

/** One procedure as REST sees it. */
export interface Operation {
  /** The name in RPC, such as `offices.get`. */
  procedure: string;
  type: 'query' | 'mutation';
  method: OpenApiMethod;
  /** The path in REST, with `{name}` for its parameters. */
  path: `/${string}`;
  pathParameters: string[];
  /** Whether it reads a body; where it does, the query holds nothing. */
  hasBody: boolean;
  /** The status of success. */
  status: 200 | 201 | 204;
  /** What the key of a caller must be allowed to do. */
  scope: Scope;
  refusals: readonly Reason[];
}

function operationOf(procedure: string, type: string, { openapi, status, scope, refusals }: Meta): Operation {
  if (openapi === undefined || scope === undefined || (type !== 'query' && type !== 'mutation')) {
    throw new Error(`${procedure} has no place in REST or no scope`);
  }
  const { method, path } = openapi;
  return {
    procedure,
    type,
    method,
    path,
    pathParameters: Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name),
    hasBody: method !== 'GET' && method !== 'DELETE',
    status: status ?? 200,
    scope,
    refusals: refusals ?? [],
  };
}

/** Every operation of the service, read off the router once. */
export const operations: readonly Operation[] = Object.entries<AnyTRPCProcedure>(
  appRouter._def.procedures as never,
).map(([name, { _def }]) => operationOf(name, _def.type, _def.meta as Meta));
