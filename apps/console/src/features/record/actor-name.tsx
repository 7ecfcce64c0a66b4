import { Trans } from '@lingui/react/macro';
import { useRights } from '../../api/caller.ts';

interface Change {
  actorId?: string | null;
  actor?: { type: 'key' | 'person'; id: string; name: string | null } | null;
  actorName?: string | null;
}

export function useIsOwn(): (change: Change) => boolean {
  const { caller } = useRights();
  return ({ actorId }) => actorId === caller.id;
}

export function ActorName({ change }: { change: Change }) {
  const isOwn = useIsOwn();
  const { actorId, actor, actorName } = change;
  if (isOwn(change)) return <Trans>You</Trans>;
  const name = actor?.name ?? actorName ?? null;
  if (name !== null) return name;
  if (actorId === null || actorId === undefined) return <Trans>The service</Trans>;
  if (actor?.type === 'key') return <Trans>A key</Trans>;
  if (actor?.type === 'person') return <Trans>A person</Trans>;
  return <Trans>A deleted person</Trans>;
}
