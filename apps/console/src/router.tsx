import { createRootRoute, createRoute, createRouter, redirect } from '@tanstack/react-router';
import { callerQuery, rightsOf } from './api/caller.ts';
import { isUnauthenticated, queryClient } from './api/client.ts';
import type { ResourceName } from './api/contract/contracts.ts';
import { resourceNames } from './api/contract/contracts.ts';
import { listQuery, requestOf } from './features/directory/list/queries.ts';
import { ListPage } from './features/directory/page/list-page.tsx';
import { allowedNavigation } from './shell/navigation.tsx';
import { parseRecordPath, rememberRecord } from './shell/palette/recent.ts';
import { NotFoundPage, RouteError } from './shell/route-error.tsx';
import { Shell } from './shell/shell.tsx';
import { lazyView } from './ui/browser/lazy-components.ts';
import { parseSearch, type SearchParams, stringifySearch } from './ui/browser/search-params.ts';

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
  component: lazyView(() => import('./features/people/sign-in/sign-in-page.tsx'), 'SignInPage'),
});

const emailLink = createRoute({
  getParentRoute: () => root,
  path: '/sign-in/email',
  component: lazyView(() => import('./features/people/sign-in/email-page.tsx'), 'EmailPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyView(() => import('./features/people/sign-in/invitation-page.tsx'), 'InvitationPage'),
});

/** The routes that need someone who is signed in. Anyone else goes to the page for that, and comes back afterwards. */
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

const start = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  loader: async () => {
    const rights = rightsOf(await queryClient.ensureQueryData(callerQuery));
    const pages = allowedNavigation(rights).flatMap(({ items }) => items);
    const first = pages.find(({ to }) => to !== '/activity') ?? pages[0];
    throw redirect({ to: first?.to ?? '/settings', replace: true });
  },
});

type View = NonNullable<typeof signIn.options.component>;

function viewOf<const P extends string>(path: P, component: View) {
  return createRoute({ getParentRoute: () => signedIn, path, validateSearch: anySearch, component });
}

function lazyViewOf<const P extends string, Name extends string>(
  path: P,
  load: () => Promise<Record<Name, View>>,
  name: Name,
) {
  return viewOf(path, lazyView(load, name) as View);
}

const views = [
  lazyViewOf('/settings', () => import('./features/settings/settings-page.tsx'), 'SettingsPage'),
  lazyViewOf('/home', () => import('./features/home/home-page.tsx'), 'HomePage'),
  lazyViewOf('/activity', () => import('./features/activity/activity-page.tsx'), 'ActivityPage'),
  lazyViewOf('/sessions', () => import('./features/people/sessions/sessions-screen.tsx'), 'SessionsPage'),
  lazyViewOf('/jobs', () => import('./features/jobs/jobs-page.tsx'), 'JobsPage'),
  lazyViewOf('/jobs/$id', () => import('./features/jobs/job-page.tsx'), 'JobPage'),
  lazyViewOf('/imports', () => import('./features/imports/imports-page.tsx'), 'ImportsPage'),
  lazyViewOf('/imports/new', () => import('./features/imports/columns-page.tsx'), 'ColumnsPage'),
  lazyViewOf('/imports/$id', () => import('./features/imports/job/import-page.tsx'), 'ImportPage'),
] as const;

const unknown = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFoundPage });

const RecordPage = lazyView(() => import('./features/record-page/record-page.tsx'), 'RecordPage');
const NewPage = lazyView(() => import('./features/record-page/new-page.tsx'), 'NewPage');
const RecordDetails = lazyView(() => import('./features/record-page/record-details.tsx'), 'RecordDetails');
const EditPage = lazyView(() => import('./features/record/edit/edit-page.tsx'), 'EditPage');
const HistoryPage = lazyView(() => import('./features/history/history-page.tsx'), 'HistoryPage');

function of(resource: ResourceName, Any: typeof RecordPage) {
  return Object.assign(() => <Any resource={resource} />, { preload: Any.preload });
}

function recordRoutes<const R extends ResourceName>(resource: R) {
  const list = createRoute({
    getParentRoute: () => signedIn,
    path: `/${resource}`,
    validateSearch: anySearch,
    loaderDeps: ({ search }) => search,
    // Not awaited: the page shows its frame at once, and an error of the list in it.
    loader: ({ deps }) => {
      void queryClient.prefetchInfiniteQuery(listQuery(requestOf(resource, deps)));
    },
    // In the first file, like the frame: nearly everyone begins here, and one request is faster than two.
    component: () => <ListPage resource={resource} />,
  });
  const record = createRoute({
    getParentRoute: () => list,
    path: '/$id',
    component: of(resource, RecordPage),
  });
  const below = <const P extends string>(path: P, component: View) =>
    createRoute({ getParentRoute: () => record, path, component });
  const details = below('/', RecordDetails);
  const page = below('/page', RecordDetails);
  const edit = below('/edit', EditPage);
  const history = below('/history', HistoryPage);
  const create = createRoute({
    getParentRoute: () => list,
    path: '/new',
    component: of(resource, NewPage),
  });
  return list.addChildren([create, record.addChildren([details, page, edit, history])]);
}

function listRoutes<const P extends string, List extends string, Panel extends string>(
  path: P,
  load: () => Promise<Record<List | Panel, View>>,
  [page, panel]: readonly [List, Panel],
) {
  const list = viewOf(path, lazyView(load, page) as View);
  const details = lazyView(load, panel) as View;
  return list.addChildren([createRoute({ getParentRoute: () => list, path: '/$id', component: details })]);
}

const keys = listRoutes('/keys', () => import('./features/keys/keys-screen.tsx'), ['KeysPage', 'KeyPanel']);
const webhooks = listRoutes('/webhooks', () => import('./features/webhooks/webhooks-screen.tsx'), [
  'WebhooksPage',
  'WebhookPanel',
]);
const people = listRoutes('/people', () => import('./features/people/people-screen.tsx'), [
  'PeoplePage',
  'PersonPanel',
]);
const scheduledChanges = listRoutes(
  '/scheduled-changes',
  () => import('./features/jobs/scheduled-changes/scheduled-changes-screen.tsx'),
  ['ScheduledChangesPage', 'ScheduledChangePanel'],
);
const DuplicatesPage = lazyView(
  () => import('./features/duplicates/page/duplicates-page.tsx'),
  'DuplicatesPage',
);
const PairPage = lazyView(() => import('./features/duplicates/page/pair-page.tsx'), 'PairPage');

const duplicates = createRoute({
  getParentRoute: () => signedIn,
  path: '/duplicates',
  loader: async () => {
    const { can } = rightsOf(await queryClient.ensureQueryData(callerQuery));
    const first = resourceNames.find((name) => can(`${name}:read`));
    throw redirect({ to: first === undefined ? '/' : `/duplicates/${first}`, replace: true });
  },
});

function pairRoutes<const R extends ResourceName>(resource: R) {
  const list = viewOf(`/duplicates/${resource}`, of(resource, DuplicatesPage));
  const pair = viewOf(`/duplicates/${resource}/$id/$otherId`, of(resource, PairPage));
  return [list, pair] as const;
}

const routeTree = root.addChildren([
  signIn,
  emailLink,
  invitation,
  signedIn.addChildren([
    ...[start, unknown],
    ...views,
    ...resourceNames.map((resource) => recordRoutes(resource)),
    duplicates,
    ...resourceNames.flatMap((resource) => pairRoutes(resource)),
    ...[scheduledChanges, webhooks, keys, people],
  ]),
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
  const record = parseRecordPath(toLocation.publicHref.split('?', 1)[0] ?? '');
  if (record !== undefined) rememberRecord(record);
});
