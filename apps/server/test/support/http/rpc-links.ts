import type { appRouter } from '@roster/api/server';
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  type TRPCClient,
  type TRPCLink,
} from '@trpc/client';
import type { TestServer } from '../index.ts';

type Router = typeof appRouter;

export const links = { httpLink, httpBatchLink, httpBatchStreamLink };
export type LinkName = keyof typeof links;

/** tRPC's own client with one of its links. */
export function clientOf(name: LinkName, { url, key }: Pick<TestServer, 'url' | 'key'>): TRPCClient<Router> {
  const options = { url: `${url}/trpc`, headers: { Authorization: `Bearer ${key}` } };
  return createTRPCClient<Router>({ links: [links[name](options) as TRPCLink<Router>] });
}
