import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { Key } from '@roster/client';
import { localTimeOf } from '../fields/local-time.ts';

type ExpiryChoice = 'never' | '30' | '90' | '365' | 'time';

export interface Expiry {
  choice: ExpiryChoice;
  /** Of the choice `time`: the value of an input of the type `datetime-local`, in the time zone of the browser. */
  time: string;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function expiryOf(expiresAt: string | null): Expiry {
  return expiresAt === null
    ? { choice: 'never', time: '' }
    : { choice: 'time', time: localTimeOf(expiresAt) };
}

/**
 * The expiry that was chosen: a time, null for never, or undefined if a time was to be given and is not.
 *
 * @param kept the expiry of the key so far, which an input shows to the minute: it stays as it is if nothing was changed
 */
export function expiresAtOf(
  { choice, time }: Expiry,
  { kept = null, now = Date.now() }: { kept?: string | null; now?: number } = {},
): string | null | undefined {
  if (choice === 'never') return null;
  if (choice !== 'time') return new Date(now + Number(choice) * DAY_MS).toISOString();
  if (kept !== null && localTimeOf(kept) === time) return kept;
  return time === '' ? undefined : new Date(time).toISOString();
}

const SOON_MS = 14 * DAY_MS;

interface KeyState {
  id: 'active' | 'expiring' | 'expired' | 'revoked';
  label: MessageDescriptor;
  tone: 'warning' | 'neutral';
}

export function stateOfKey({ revokedAt, expiresAt }: Key, now = Date.now()): KeyState {
  if (revokedAt !== null) return { id: 'revoked', label: msg`Revoked`, tone: 'warning' };
  if (expiresAt === null)
    return { id: 'active', label: msg({ message: 'Active', context: 'key' }), tone: 'neutral' };
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0)
    return { id: 'expired', label: msg({ message: 'Expired', context: 'key' }), tone: 'warning' };
  if (leftMs < SOON_MS) return { id: 'expiring', label: msg`Expires soon`, tone: 'warning' };
  return { id: 'active', label: msg({ message: 'Active', context: 'key' }), tone: 'neutral' };
}
