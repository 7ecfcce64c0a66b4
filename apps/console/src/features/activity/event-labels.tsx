import { useLingui } from '@lingui/react/macro';
import type { Event, EventType } from '@roster/client';
import { resourceOfEvent, resources } from '../../resources/index.ts';

export function useEventWords(): (type: string) => string {
  const { t } = useLingui();
  const words: Partial<Record<EventType, string>> = {
    'key.created': t`Key created`,
    'key.updated': t`Key changed`,
    'key.rotated': t`Key rotated`,
    'key.revoked': t`Key revoked`,
    'webhook.created': t`Webhook created`,
    'webhook.updated': t`Webhook changed`,
    'webhook.rotated': t`Secret of a webhook rotated`,
    'webhook.replayed': t`Deliveries resent`,
    'webhook.deleted': t`Webhook deleted`,
    'person.invited': t`Person invited`,
    'person.updated': t`Person changed`,
    'person.deactivated': t`Person deactivated`,
    'person.reactivated': t`Person reactivated`,
    'person.deleted': t`Person deleted`,
    'invitation.created': t`Invitation created`,
    'invitation.revoked': t`Invitation revoked`,
    'invitation.accepted': t`Invitation accepted`,
    'passkey.created': t`Passkey set up`,
    'passkey.updated': t`Passkey renamed`,
    'passkey.deleted': t`Passkey removed`,
    'session.created': t`Signed in`,
    'session.ended': t`Session ended`,
    'access.denied': t`Access denied`,
  };
  return (type) => {
    const resource = resourceOfEvent(type);
    const [, verb = ''] = type.split('.');
    const label = resource === undefined ? undefined : resources[resource].eventLabels[verb];
    return label === undefined ? (words[type as EventType] ?? type) : t(label);
  };
}

export function kindOf({ type }: Pick<Event, 'type'>): string {
  return type.split('.', 1)[0] ?? '';
}
