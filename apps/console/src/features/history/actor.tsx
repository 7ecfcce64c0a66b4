import type { Event } from '@roster/client';
import { FileUp, KeyRound } from '../../icons.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { ActorName } from '../record/actor-name.tsx';

interface ActorProps {
  change: Pick<Event, 'actorId' | 'actor'> & Partial<Pick<Event, 'details'>>;
}

/** A sign of who made a change: a person by the initials, a key and an import by an icon, each with its name. */
export function Actor({ change }: ActorProps) {
  const { actor, details } = change;
  if (details?.bulkId !== undefined) return <FileUp aria-hidden className="size-3.5 shrink-0 text-muted" />;
  const name = actor?.name ?? null;
  if (actor?.type !== 'person' || name === null)
    return (
      <span className="flex text-muted text-xs">
        {actor === null ? (
          <span className="max-w-24 truncate">
            <ActorName change={change} />
          </span>
        ) : (
          <>
            <KeyRound aria-hidden className="size-3.5" />
            <span className="sr-only">
              <ActorName change={change} />
            </span>
          </>
        )}
      </span>
    );
  return (
    <span data-tooltip={name} className="flex">
      <Avatar name={name} id={actor.id} size={20} />
      <span className="sr-only">
        <ActorName change={change} />
      </span>
    </span>
  );
}
