import type { Operation } from '@roster/api';
import { createRosterClient, RosterError } from '@roster/client';
import { expect } from 'vitest';
import { alsoPrinted } from '../../../src/contract/client-side-commands.ts';
import type { Input } from '../../../src/contract/options.ts';
import { exitCodes } from '../../../src/errors.ts';
import { runCli } from '../run-cli.ts';
import { argvOf } from './argv.ts';

/** A call that any interface can make. */
export interface Call {
  url: string;
  operation: Operation;
  input: Input;
  /** The secret of the caller. */
  key: string | undefined;
  idempotencyKey?: string | undefined;
}

/** The result of a call: the response, or the problem. */
export type CallResult = { result: unknown } | { problem: Record<string, unknown> };

/** The result of a call that an interface cannot express, or that is a usage error of the command line. */
export const inexpressible = { problem: { code: 'inexpressible' } };

export type InterfaceName = 'rpc' | 'rest' | 'cli';

interface Procedure {
  query(input: Input, options: object): Promise<unknown>;
  mutate(input: Input, options: object): Promise<unknown>;
}

async function byRpc({ url, operation, input, key, idempotencyKey }: Call): Promise<CallResult> {
  const [resource = '', name = ''] = operation.procedure.split('.');
  const client: Readonly<Record<string, unknown>> = createRosterClient({ url, key });
  const procedure = (client[resource] as Record<string, Procedure> | undefined)?.[name];
  const options = idempotencyKey === undefined ? {} : { context: { idempotencyKey } };
  try {
    const call = operation.type === 'query' ? procedure?.query : procedure?.mutate;
    return { result: await call?.(input, options) };
  } catch (error) {
    if (error instanceof RosterError) return { problem: JSON.parse(JSON.stringify(error)) };
    throw error;
  }
}

/** The query string of a URL; a list is a repeated parameter, an object one of JSON. */
function queryOf(input: Input): string {
  const pairs = Object.entries(input).flatMap(([name, value]) =>
    [value]
      .flat()
      .map((item): [string, string] => [
        name,
        typeof item === 'object' ? JSON.stringify(item) : String(item),
      ]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

async function byRest({ url, operation, input, key, idempotencyKey }: Call): Promise<CallResult> {
  const { method, pathParameters, hasBody, fileTypes } = operation;
  const { ifVersion, ...sent } = input;
  // The file is the body.
  const { content, ...given } = fileTypes === undefined ? { content: undefined, ...sent } : sent;
  const rest = Object.entries(given).filter(([name]) => !pathParameters.includes(name));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name])));
  const fields = Object.fromEntries(rest);
  const isSent = hasBody && (rest.length > 0 || method !== 'PUT');
  const response = await fetch(`${url}${path}${hasBody ? '' : queryOf(fields)}`, {
    method,
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(ifVersion !== undefined && { 'If-Match': `"${ifVersion}"` }),
      ...(isSent && { 'Content-Type': 'application/json' }),
      ...(fileTypes && { 'Content-Type': String(fileTypes[0]) }),
    },
    ...(isSent && { body: JSON.stringify(fields) }),
    ...(fileTypes && { body: String(content ?? '') }),
  });
  const text = await response.text();
  if (response.ok) {
    // A dry run accepts nothing.
    const isTried = operation.status === 202 && input.dryRun === true;
    expect(response.status).toBe(isTried ? 200 : operation.status);
    return { result: text === '' ? undefined : JSON.parse(text) };
  }
  const problem = JSON.parse(text);
  expect(problem.status).toBe(response.status);
  return { problem };
}

/** The response of the operation itself, without what the command has added by further calls. */
function responseOf(printed: Record<string, unknown>, { procedure }: Operation): unknown {
  const added = alsoPrinted[procedure] ?? [];
  return added.length === 0
    ? printed
    : Object.fromEntries(Object.entries(printed).filter(([name]) => !added.includes(name)));
}

async function byCli({ url, operation, input, key, idempotencyKey }: Call): Promise<CallResult> {
  const command = argvOf(operation, input);
  if (command === undefined) return inexpressible;
  const repeatable = idempotencyKey === undefined ? [] : ['--idempotency-key', idempotencyKey];
  const { exit, stdout, stderr } = await runCli([...command.argv, ...repeatable], { url, key });
  if (!command.isKnown) {
    expect({ exit, stdout }).toEqual({ exit: exitCodes.usage, stdout: '' });
    return inexpressible;
  }
  if (exit === exitCodes.ok)
    return { result: stdout === '' ? undefined : responseOf(JSON.parse(stdout), operation) };
  expect(stdout).toBe('');
  const problem = JSON.parse(stderr);
  const isNotAllowed = problem.status === 401 || problem.status === 403;
  const isUsage = /^(validation_failed|invalid_parameter|invalid_cursor|cursor_mismatch)$/.test(problem.code);
  const failed = isUsage ? exitCodes.usage : exitCodes.failed;
  expect(exit).toBe(isNotAllowed ? exitCodes.notAllowed : failed);
  return { problem };
}

/** Makes a call by RPC, REST or CLI. */
export const interfaces: Readonly<Record<InterfaceName, (call: Call) => Promise<CallResult>>> = {
  rpc: byRpc,
  rest: byRest,
  cli: byCli,
};
