import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.ts';
import { router } from './router.tsx';
import { copyPhonesAsStored } from './ui/browser/copied-phones.ts';
import { activateLocale } from './ui/browser/locale.ts';
import { applyPreferences } from './ui/browser/preferences.ts';
import { noteNavigation } from './ui/browser/view-state.ts';
import './styles.css';

applyPreferences();
copyPhonesAsStored();

async function start(): Promise<void> {
  const root = document.getElementById('root');
  if (root === null) throw new Error('index.html has no #root');
  // The first rows are asked for while the language is loaded.
  await Promise.all([activateLocale(), router.load()]);
  // Not before: the router follows a redirect of its first load by itself only while nobody listens to the history.
  router.history.subscribe(({ action }) => noteNavigation(action.type));
  createRoot(root).render(
    <StrictMode>
      <I18nProvider i18n={i18n}>
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

// Not awaited: views in files of their own import this one, which a browser gives them only once it has been run to its end.
void start();
