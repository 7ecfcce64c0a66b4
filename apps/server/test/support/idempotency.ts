import { randomUUID } from 'node:crypto';
import type { Office } from '@roster/api';
import { bodyOf, next } from './fixtures.ts';
import type { TestServer } from './index.ts';

/** Headers with an idempotency key: a new one unless given. */
export const withKey = (key: string = randomUUID()) => ({ 'Idempotency-Key': key });

/** An office that no other test creates. */
export const newOffice = () => ({ name: `Office ${next()}`, metadata: { b: '2', a: '1' } });

/** The number of offices with a name. */
export async function countNamed(server: TestServer, { name }: { name: string }): Promise<number> {
  const found = await server.request('GET', `/offices?includeTotal=true&q=${encodeURIComponent(name)}`);
  const { items } = await bodyOf<{ items: Office[] }>(found);
  return items.filter((office) => office.name === name).length;
}
