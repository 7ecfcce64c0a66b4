import type { AppRouter, Event } from '@roster/client';
import { skipToken, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createTRPCContext, useSubscription } from '@trpc/tanstack-react-query';
import { useState } from 'react';
import { type Clients, View } from './view.tsx';

const { TRPCProvider, useTRPC } = createTRPCContext<AppRouter>();

/** The offices by the hooks of TanStack Query, with the options that tRPC makes. */
export function TanstackOffices({ client, queryClient }: Clients) {
  return (
    <TRPCProvider trpcClient={client} queryClient={queryClient}>
      <Offices />
    </TRPCProvider>
  );
}

function Offices() {
  const trpc = useTRPC();
  const cache = useQueryClient();
  const [events, setEvents] = useState<Event[]>([]);
  const pages = useInfiniteQuery(
    trpc.offices.list.infiniteQueryOptions(
      { limit: 2, sort: 'name' },
      {
        getNextPageParam: ({ nextCursor }) => nextCursor,
        getPreviousPageParam: ({ prevCursor }) => prevCursor,
      },
    ),
  );
  const id = pages.data?.pages[0]?.items[0]?.id;
  const first = useQuery(
    trpc.offices.get.queryOptions(id === undefined ? skipToken : { id }, { trpc: { abortOnUnmount: true } }),
  );
  const create = useMutation(
    trpc.offices.create.mutationOptions({
      onSuccess: () => cache.invalidateQueries(trpc.offices.list.infiniteQueryFilter()),
    }),
  );
  const subscription = useSubscription(
    trpc.events.stream.subscriptionOptions(
      {},
      { onData: ({ data }) => setEvents((before) => [...before, data]) },
    ),
  );
  return <View pages={pages} first={first} create={create} subscription={subscription} events={events} />;
}
