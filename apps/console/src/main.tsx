import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/client.ts';
import { activateLocale } from './app/locale.ts';
import { applyPreferences } from './app/preferences.ts';
import { router } from './app/router.tsx';
import { offerNewVersion } from './shell/new-version.tsx';
import './styles.css';

applyPreferences();
// The code of a view is gone because a newer release has replaced it.
window.addEventListener('vite:preloadError', offerNewVersion);
// The first rows are asked for while the language is loaded.
const [, root] = await Promise.all([activateLocale(), document.getElementById('root'), router.load()]);
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
