import { useLingui } from '@lingui/react/macro';
import type { Event, EventType } from '@roster/client';

/** What happened, in a word, for filters and for what is no record of the directory. */
export function useEventWords(): (type: string) => string {
  const { t } = useLingui();
  const words: Partial<Record<EventType, string>> = {
    'office.created': t`Office created`,
    'office.updated': t`Office changed`,
    'office.deactivated': t`Office deactivated`,
    'office.reactivated': t`Office reactivated`,
    'office.deleted': t`Office deleted`,
    'office.restored': t`Office restored`,
    'office.purged': t`Office purged`,
    'office.license_expiring': t`Licence of an office expires`,
    'office.change_failed': t`Scheduled change of an office failed`,
    'agent.created': t`Agent created`,
    'agent.updated': t`Agent changed`,
    'agent.deactivated': t`Agent deactivated`,
    'agent.reactivated': t`Agent reactivated`,
    'agent.deleted': t`Agent deleted`,
    'agent.restored': t`Agent restored`,
    'agent.purged': t`Agent purged`,
    'agent.transferred': t`Agent transferred`,
    'agent.license_expiring': t`Licence of an agent expires`,
    'agent.change_failed': t`Scheduled change of an agent failed`,
    'key.created': t`Key created`,
    'key.updated': t`Key changed`,
    'key.rotated': t`Key rotated`,
    'key.revoked': t`Key revoked`,
    'webhook.created': t`Webhook created`,
    'webhook.updated': t`Webhook changed`,
    'webhook.rotated': t`Secret of a webhook rotated`,
    'webhook.replayed': t`Deliveries repeated`,
    'webhook.deleted': t`Webhook deleted`,
    'person.invited': t`Person invited`,
    'person.updated': t`Person changed`,
    'person.deactivated': t`Person deactivated`,
    'person.reactivated': t`Person reactivated`,
    'person.deleted': t`Person deleted`,
    'person.link_created': t`Sign-in link of a person created`,
    'session.created': t`Signed in`,
    'session.ended': t`Session ended`,
    'access.denied': t`Access denied`,
  };
  return (type) => words[type as EventType] ?? type;
}

/** What an event is about. */
export function kindOf({ type }: Pick<Event, 'type'>): string {
  return type.split('.', 1)[0] ?? '';
}
