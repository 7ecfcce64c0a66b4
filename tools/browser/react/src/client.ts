import { createRosterClient, type RosterClient } from '@roster/client';
import { QueryClient } from '@tanstack/react-query';

/** The address and the key of the service, and which hooks are tried, in the query of the page. */
const given = new URLSearchParams(location.search);
export const hooks = given.get('hooks');

export const client: RosterClient = createRosterClient({
  url: given.get('url') ?? '',
  key: given.get('key') ?? '',
});

export const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
