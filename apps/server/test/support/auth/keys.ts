import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { KeyWithSecret, Scope } from '@roster/api';
import { expect } from 'vitest';
import type { TestServer } from '../index.ts';

/** The header that carries a key. */
export function bearer(secret: string): { Authorization: string } {
  return { Authorization: `Bearer ${secret}` };
}

interface KeyOptions {
  name?: string;
  expiresAt?: string;
  officeIds?: readonly string[];
}

/** A new key with some scopes, made over REST. */
export async function keyWith(
  server: Pick<TestServer, 'request'>,
  scopes: readonly Scope[],
  options: KeyOptions = {},
): Promise<KeyWithSecret> {
  const response = await server.request('POST', '/keys', { name: 'A key', scopes, ...options });
  expect(response.status, response.ok ? 'a key' : await response.text()).toBe(201);
  return (await response.json()) as KeyWithSecret;
}

/** A secret of the right form and checksum that no key has. */
export function unknownSecret(): string {
  const text = `rst_${randomBytes(32).toString('base64url')}`;
  return text + crc32(text).toString(16).padStart(8, '0');
}

/** Whether the server takes a key: the status of a list that needs `offices:read`. */
export async function statusWith(server: Pick<TestServer, 'request'>, secret: string): Promise<number> {
  const response = await server.request('GET', '/offices?limit=1', undefined, bearer(secret));
  await response.arrayBuffer();
  return response.status;
}

/** The requests that are answered within a second, one after the other; a busy machine delays them with all else. */
const REQUESTS_OF_SECOND = 150;

/** Waits until requests with a key get a status, which the contract promises within a second. */
export async function untilStatus(
  server: Pick<TestServer, 'request'>,
  secret: string,
  status: number,
): Promise<void> {
  let answered: number | undefined;
  for (let count = 0; count < REQUESTS_OF_SECOND; count += 1) {
    answered = await statusWith(server, secret);
    if (answered === status) return;
    await setTimeout(5);
  }
  expect(answered).toBe(status);
}
