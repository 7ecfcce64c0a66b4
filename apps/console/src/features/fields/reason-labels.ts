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

export const reasonLabel = (kind: string): MessageDescriptor | undefined =>
  Object.hasOwn(reasonKinds, kind) ? reasonKinds[kind] : undefined;

const sameName = {
  office: msg`Same name in the same office`,
  address: msg`Same name at the same address`,
  city: msg`Same name in the same city`,
  none: msg`Same name`,
} as const;

const similarName = {
  office: msg`Similar name in the same office`,
  address: msg`Similar name at the same address`,
  city: msg`Similar name in the same city`,
  none: msg`Similar name`,
} as const;

/** Why two records may be the same, in words; in those of the service if the page does not know the kind. */
export function reasonText(
  { i18n, resource, readPhone }: { i18n: I18n; resource: ResourceName; readPhone: ReadPhone },
  reason: DuplicateReason,
): string {
  const { kind, value = '', field, isSimilar, place = 'none', text } = reason;
  switch (kind) {
    case 'telephone': {
      const number = readPhone(value);
      return i18n._(msg`Same phone number ${number}`);
    }
    case 'email':
      return i18n._(msg`Same mailbox ${value}`);
    case 'license':
      return i18n._(msg`Same licence ${value}`);
    case 'number': {
      const label = fieldLabel(i18n, resource, field ?? '');
      return i18n._(msg`Same number (${label}): ${value}`);
    }
    case 'source':
      return i18n._(msg`Same ID in the other system: ${value}`);
    case 'name':
      return i18n._((isSimilar === true ? similarName : sameName)[place]);
    default:
      return text;
  }
}

/** The highest score that is shown as it is: one that is rounded up to 100 % is no certainty. */
const SCORE_SHOWN_MAX = 0.99;

export function percent(i18n: I18n, score: number): string {
  const shown = i18n.number(Math.min(score, SCORE_SHOWN_MAX), { style: 'percent' });
  return score > SCORE_SHOWN_MAX ? `> ${shown}` : shown;
}
