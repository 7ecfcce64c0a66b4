import type { Event, Office } from '@roster/client';

export interface ViewProps {
  /** The names of all pages so far. */
  names: string[];
  hasMore: boolean;
  onMore: () => void;
  /** The office that was read by its id. */
  first: Office | undefined;
  onCreate: (name: string) => void;
  /** Why the last create was rejected. */
  createError: string | undefined;
  subscription: string;
  events: Event[];
  /** Why a query failed. */
  queryError: string | undefined;
}

/** What both kinds of hooks show. */
export function View(props: ViewProps) {
  const create = (form: FormData) => props.onCreate(String(form.get('name')));
  return (
    <main>
      <ol aria-label="Offices">
        {props.names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ol>
      {props.hasMore && (
        <button type="button" onClick={props.onMore}>
          More
        </button>
      )}
      <p data-testid="first">{props.first && `${props.first.name}, version ${props.first.version}`}</p>
      <form action={create}>
        <input name="name" aria-label="Name" />
        <button type="submit">Create</button>
      </form>
      <p role="alert">{props.createError}</p>
      <p data-testid="query-error">{props.queryError}</p>
      <p role="status">{props.subscription}</p>
      <ol aria-label="Events">
        {props.events.map((event) => (
          <li key={event.position}>{event.type}</li>
        ))}
      </ol>
    </main>
  );
}
