import { type Event, type Office, type RosterClient, RosterError } from '@roster/client';
import type { QueryClient } from '@tanstack/react-query';

export interface Clients {
  client: RosterClient;
  queryClient: QueryClient;
}

interface Failure {
  message: string;
}

/** What the hooks of either kind return, as far as it is shown. */
export interface ViewProps {
  pages: {
    data: { pages: { items: { name: string }[] }[] } | undefined;
    hasNextPage: boolean;
    fetchNextPage: () => unknown;
    error: Failure | null;
  };
  /** The office that was read by its id. */
  first: { data: Office | undefined; error: Failure | null };
  create: {
    mutate: (office: { name: string }) => void;
    error: (Failure & { data?: { problem?: { code: string } | undefined } | null | undefined }) | null;
  };
  subscription: { status: string };
  events: Event[];
}

/** What both kinds of hooks show. */
export function View({ pages, first, create, subscription, events }: ViewProps) {
  const names = pages.data?.pages.flatMap(({ items }) => items.map(({ name }) => name)) ?? [];
  const rejected = create.error?.data?.problem;
  return (
    <main>
      <ol aria-label="Offices">
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ol>
      {pages.hasNextPage && (
        <button type="button" onClick={() => void pages.fetchNextPage()}>
          More
        </button>
      )}
      <p data-testid="first">{first.data && `${first.data.name}, version ${first.data.version}`}</p>
      <form action={(form) => create.mutate({ name: String(form.get('name')) })}>
        <input name="name" aria-label="Name" />
        <button type="submit">Create</button>
      </form>
      <p role="alert">{rejected && `${rejected.code} ${create.error instanceof RosterError}`}</p>
      <p data-testid="query-error">{pages.error?.message ?? first.error?.message}</p>
      <p role="status">{subscription.status}</p>
      <ol aria-label="Events">
        {events.map((event) => (
          <li key={event.position}>{event.type}</li>
        ))}
      </ol>
    </main>
  );
}
