import { createRosterClient } from '@roster/client';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AgentForm } from './agent-form.tsx';
import { ClassicOffices } from './classic.tsx';
import { TanstackOffices } from './tanstack.tsx';

/** The address and the key of the service, and what is tried, in the query of the page. */
const given = new URLSearchParams(location.search);
const client = createRosterClient({ url: given.get('url') ?? '', key: given.get('key') ?? '' });
const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const tried = { classic: ClassicOffices, tanstack: TanstackOffices, form: AgentForm };
const Tried = tried[given.get('tried') as keyof typeof tried];

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <Tried client={client} queryClient={queryClient} />
    </QueryClientProvider>
  </StrictMode>,
);
