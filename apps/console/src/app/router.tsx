import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { callerQuery, rightsOf } from '../api/caller.ts';
import { isUnauthenticated, queryClient } from '../api/client.ts';
import { AgentsPage, OfficesPage } from '../list/list-page.tsx';
import { firstPageQuery, requestOf } from '../list/queries.ts';
import { recordOf, rememberRecord } from '../palette/recent.ts';
import { allowedNavigation } from '../shell/navigation.tsx';
import { NotFoundPage, RouteError } from '../shell/route-error.tsx';
import { Shell } from '../shell/shell.tsx';
import { lazyComponent } from './locale.ts';
import { parseSearch, type SearchParams, stringifySearch } from './search-params.ts';

const anySearch = (search: Record<string, unknown>) => search as SearchParams;

/** An error outside of the frame, which has the main part of the page otherwise. */
function RootError({ error }: { error: unknown }) {
  return (
    <main>
      <RouteError error={error} />
    </main>
  );
}

const root = createRootRoute({ errorComponent: RootError, notFoundComponent: NotFoundPage });

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: anySearch,
  component: lazyComponent('sign-in', () => import('../sign-in/sign-in-page.tsx'), 'SignInPage'),
});

/** What needs someone who is signed in. Who is not goes to the page for that, and comes back afterwards. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  loader: async ({ location }) => {
    try {
      return await queryClient.ensureQueryData(callerQuery);
    } catch (error) {
      if (!isUnauthenticated(error)) throw error;
      throw redirect({ to: '/sign-in', search: { returnTo: location.publicHref } });
    }
  },
  // Rights are asked again by the query itself, not at every navigation.
  staleTime: Number.POSITIVE_INFINITY,
  component: Shell,
  errorComponent: RootError,
});

/** The first view that the caller may open. */
const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  loader: async () => {
    const rights = rightsOf(await queryClient.ensureQueryData(callerQuery));
    const [first] = allowedNavigation(rights).flatMap(({ items }) => items);
    throw redirect({ to: first?.to ?? '/settings', replace: true });
  },
});

const settings = createRoute({
  getParentRoute: () => signedIn,
  path: '/settings',
  component: lazyComponent('settings', () => import('../settings/settings-page.tsx'), 'SettingsPage'),
});

/** An address that no view has. */
const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage });

/** The list of a resource, with the record that is open in it. */
function recordRoutes<const R extends 'offices' | 'agents'>(resource: R) {
  const list = createRoute({
    getParentRoute: () => signedIn,
    path: `/${resource}`,
    validateSearch: anySearch,
    loaderDeps: ({ search }) => search,
    // Not awaited: the page shows its frame at once, and an error of the list in it.
    loader: ({ deps }) => {
      void queryClient.prefetchQuery(firstPageQuery(requestOf(resource, deps)));
    },
    // In the first file, like the frame: nearly everyone begins here, and one request is faster than two.
    component: resource === 'offices' ? OfficesPage : AgentsPage,
  });
  const record = createRoute({
    getParentRoute: () => list,
    path: '/$id',
    component: lazyComponent(
      'record',
      () => import('../record/record-page.tsx'),
      resource === 'offices' ? 'OfficePage' : 'AgentPage',
    ),
  });
  return list.addChildren([record]);
}

const routeTree = root.addChildren([
  signIn,
  signedIn.addChildren([start, recordRoutes('agents'), recordRoutes('offices'), settings, unknown]),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: RouteError,
  scrollRestoration: false,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

router.subscribe('onResolved', ({ toLocation }) => {
  const record = recordOf(toLocation.publicHref.split('?', 1)[0] ?? '');
  if (record !== undefined) rememberRecord(record);
});
