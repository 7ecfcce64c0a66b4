import type { AppRouter, Event } from '@roster/client';
import { createTRPCReact } from '@trpc/react-query';
import { useState } from 'react';
import { type Clients, View } from './view.tsx';

const trpc = createTRPCReact<AppRouter>();

/** The offices by the hooks that tRPC makes of the router. */
export function ClassicOffices({ client, queryClient }: Clients) {
  return (
    <trpc.Provider client={client} queryClient={queryClient}>
      <Offices />
    </trpc.Provider>
  );
}

function Offices() {
  const cache = trpc.useUtils();
  const [events, setEvents] = useState<Event[]>([]);
  const pages = trpc.offices.list.useInfiniteQuery(
    { limit: 2, sort: 'name' },
    {
      getNextPageParam: ({ nextCursor }) => nextCursor,
      getPreviousPageParam: ({ prevCursor }) => prevCursor,
    },
  );
  const id = pages.data?.pages[0]?.items[0]?.id;
  const first = trpc.offices.get.useQuery({ id: id ?? '' }, { enabled: id !== undefined });
  const create = trpc.offices.create.useMutation({ onSuccess: () => cache.offices.list.invalidate() });
  const subscription = trpc.events.stream.useSubscription(
    {},
    { onData: ({ data }) => setEvents((before) => [...before, data]) },
  );
  return <View pages={pages} first={first} create={create} subscription={subscription} events={events} />;
}
