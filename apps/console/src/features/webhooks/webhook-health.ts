import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Webhook } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { rosterQuery } from '../../api/client.ts';

interface WebhookHealth {
  id: 'paused' | 'disabled' | 'failing' | 'waiting' | 'slow' | 'healthy';
  label: MessageDescriptor;
  tone: 'good' | 'warning' | 'danger' | 'neutral';
  /** Since when, or until when it waits. */
  time: string | null;
}

/** The health of a webhook: what keeps it from delivering comes first. */
function healthOf(webhook: Webhook, now = Date.now()): WebhookHealth {
  const { status, statusReason, statusChangedAt, failingSince, pausedUntil, slowSince } = webhook;
  if (status === 'disabled') {
    return statusReason === null
      ? { id: 'paused', label: msg`Paused`, tone: 'neutral', time: statusChangedAt }
      : { id: 'disabled', label: msg`Disabled by the service`, tone: 'danger', time: statusChangedAt };
  }
  if (failingSince !== null)
    return { id: 'failing', label: msg`Failing`, tone: 'danger', time: failingSince };
  if (pausedUntil !== null && Date.parse(pausedUntil) > now)
    return { id: 'waiting', label: msg`Waiting for the receiver`, tone: 'warning', time: pausedUntil };
  if (slowSince !== null) return { id: 'slow', label: msg`Slow`, tone: 'warning', time: slowSince };
  return { id: 'healthy', label: msg`Healthy`, tone: 'good', time: null };
}

/** The health of a webhook, which is good only once something was delivered. */
export function useHealth(webhook: Webhook): WebhookHealth {
  const health = healthOf(webhook);
  const isHealthy = health.id === 'healthy';
  const { data } = useQuery({
    ...rosterQuery('webhooks', 'deliveries', { id: webhook.id, status: 'delivered', limit: 1 }),
    enabled: isHealthy,
  });
  if (!isHealthy || data?.items.length !== 0) return health;
  return { ...health, label: msg`No deliveries yet`, tone: 'neutral' };
}
