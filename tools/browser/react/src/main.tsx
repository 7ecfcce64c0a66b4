import { createRosterClient } from '@roster/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ClassicOffices } from './classic.tsx';
import { TanstackOffices } from './tanstack.tsx';

/** The address and the key of the service, and which hooks are tried, in the query of the page. */
const given = new URLSearchParams(location.search);
const client = createRosterClient({ url: given.get('url') ?? '', key: given.get('key') ?? '' });
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const Offices = given.get('hooks') === 'classic' ? ClassicOffices : TanstackOffices;

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Offices client={client} queryClient={queryClient} />
    </QueryClientProvider>
  </StrictMode>,
);
