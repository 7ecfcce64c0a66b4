import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ClassicOffices } from './classic.tsx';
import { hooks, queryClient } from './client.ts';
import { TanstackOffices } from './tanstack.tsx';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      {hooks === 'classic' ? <ClassicOffices /> : <TanstackOffices />}
    </QueryClientProvider>
  </StrictMode>,
);
