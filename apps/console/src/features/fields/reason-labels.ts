import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { DuplicateReason, DuplicateReasonKind } from '@roster/client';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { fieldLabel } from './field-labels.ts';
import type { ReadPhone } from './phone-text.ts';

export const reasonKinds: Readonly<Record<string, MessageDescriptor>> = {
  telephone: msg`Phone`,
  email: msg`Email`,
  license: msg`Licence`,
  number: msg`Number`,
  source: msg`ID in the other system`,
  name: msg`Name`,
} satisfies Record<DuplicateReasonKind, MessageDescriptor>;

const places = {
  office: msg`in the same office`,
  address: msg`at the same address`,
  city: msg`in the same city`,
} satisfies Record<NonNullable<DuplicateReason['place']>, MessageDescriptor>;

interface Labels {
  i18n: I18n;
  resource: ResourceName;
}

/** Names what two records have in common, without its value; in the words of the service if the page does not know the kind. */
export function sameText(
  { i18n, resource }: Labels,
  { kind, field, isSimilar, text }: DuplicateReason,
): string {
  switch (kind) {
    case 'telephone':
      return i18n._(msg`Same phone number`);
    case 'email':
      return i18n._(msg`Same mailbox`);
    case 'license':
      return i18n._(msg`Same licence`);
    case 'number': {
      const label = fieldLabel(i18n, resource, field ?? '');
      return i18n._(msg`Same number (${label})`);
    }
    case 'source':
      return i18n._(msg`Same ID in the other system`);
    case 'name':
      return i18n._(isSimilar === true ? msg`Similar name` : msg`Same name`);
    default:
      return text;
  }
}

/** Lists all that two records have in common: "Same phone number, same licence". */
export function sameTexts(labels: Labels, reasons: readonly DuplicateReason[]): string {
  const { locale } = labels.i18n;
  const lowered = (text: string) => text.charAt(0).toLocaleLowerCase(locale) + text.slice(1);
  return reasons
    .map((reason) => sameText(labels, reason))
    .map((text, at) => (at === 0 ? text : lowered(text)))
    .join(', ');
}

/** Gives the value that two records share, or where they have the same name; an empty text if there is nothing to say. */
export function sharedValue(
  { i18n, readPhone }: { i18n: I18n; readPhone: ReadPhone },
  { kind, value = '', place }: DuplicateReason,
): string {
  if (kind === 'telephone') return readPhone(value);
  if (kind !== 'name') return value;
  return place === undefined ? '' : i18n._(places[place]);
}

/** Says why two records may be the same: "Same licence CI-9417". */
export function reasonText(labels: Labels & { readPhone: ReadPhone }, reason: DuplicateReason): string {
  return `${sameText(labels, reason)} ${sharedValue(labels, reason)}`.trim();
}

/** The highest score that is shown as it is: one that is rounded up to 100 % is no certainty. */
const SCORE_SHOWN_MAX = 0.99;

export function percent(i18n: I18n, score: number): string {
  const shown = i18n.number(Math.min(score, SCORE_SHOWN_MAX), { style: 'percent' });
  return score > SCORE_SHOWN_MAX ? `> ${shown}` : shown;
}
