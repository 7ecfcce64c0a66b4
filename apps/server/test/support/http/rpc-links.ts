import type { ServiceRouter } from '@roster/api/server';
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCClient,
  type TRPCLink,
} from '@trpc/client';
import type { TestServer } from '../index.ts';

export const links = { httpLink, httpBatchLink, httpBatchStreamLink };
export type LinkName = keyof typeof links;

/** tRPC's own client with one of its links. */
export function clientOf(
  name: LinkName,
  { url, key }: Pick<TestServer, 'url' | 'key'>,
): TRPCClient<ServiceRouter> {
  const options = { url: `${url}/trpc`, headers: { Authorization: `Bearer ${key}` } };
  return createTRPCClient<ServiceRouter>({ links: [links[name](options) as TRPCLink<ServiceRouter>] });
}
