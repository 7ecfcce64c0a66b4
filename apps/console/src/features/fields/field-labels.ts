import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { isChoice, type ResourceName } from '../../api/contract/contracts.ts';
import { memberParts, memberRoles, resources } from '../../resources/index.ts';

const address: Readonly<Record<string, MessageDescriptor>> = {
  line1: msg`Street and number`,
  line2: msg`Floor, suite, unit`,
  city: msg`City`,
  county: msg`County or parish`,
  region: msg`Region`,
  postalCode: msg`Postal code`,
  country: msg`Country`,
};

const partLabels: Readonly<Record<string, Readonly<Record<string, MessageDescriptor>>>> = {
  address,
  mailingAddress: address,
  licenses: {
    number: msg`Number`,
    region: msg`Region`,
    type: msg`Type`,
    expiresOn: msg`Expiry date`,
  },
  affiliations: {
    officeId: msg`Office`,
    title: msg`Job title in this office`,
    isVisible: msg`Shown to the public`,
    since: msg`Since`,
  },
  members: memberParts,
  source: { name: msg`Other system`, key: msg`ID in the other system` },
};

const choiceLabels: Readonly<Record<string, Readonly<Record<string, MessageDescriptor>>>> = {
  status: { active: msg`Active`, inactive: msg`Inactive` },
  branchType: { main: msg`Main office`, branch: msg`Branch`, stand_alone: msg`Stand-alone office` },
  role: memberRoles,
};

export function partLabel(i18n: I18n, field: string, part: string): string {
  const label = partLabels[field]?.[part];
  return label === undefined ? nameInWords(part) : i18n._(label);
}

/** A name of the API in words, for what has no label: "costCentre" and "cost_centre" are "Cost centre". */
function nameInWords(name: string): string {
  const words = name
    .replaceAll('_', ' ')
    .replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function choiceLabel(i18n: I18n, field: string, value: string): string | undefined {
  const label = choiceLabels[field]?.[value];
  if (label !== undefined) return i18n._(label);
  return isChoice(field) ? nameInWords(value) : undefined;
}

export function listText(i18n: I18n, texts: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'unit', style: 'short' }).format(texts);
}

export function pathLabels(i18n: I18n, resource: ResourceName, paths: readonly string[]): string {
  return listText(
    i18n,
    paths.map((path) => pathLabel(i18n, resource, path)),
  );
}

export function fieldLabel(i18n: I18n, resource: ResourceName, name: string): string {
  const label = resources[resource].fieldLabels[name];
  return label === undefined ? nameInWords(name) : i18n._(label);
}

/**
 * The label of a field or of a part of one by its path: `phone`, `address.city`, `licenses.0.number`, `metadata.costCentre`. A
 * name that has no label stands in words, but those of metadata as they are.
 */
export function pathLabel(i18n: I18n, resource: ResourceName, path: string): string {
  const [field = '', ...parts] = path.split('.');
  const own = fieldLabel(i18n, resource, field);
  if (parts.length === 0) return own;
  if (field === 'metadata') return `${own}: ${parts.join('.')}`;
  const named = parts.map((part) =>
    /^\d+$/.test(part) ? String(Number(part) + 1) : partLabel(i18n, field, part),
  );
  return [own, ...named].join(', ');
}
