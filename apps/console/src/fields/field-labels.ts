import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { isChoice, type ResourceName } from '../contract/contracts.ts';
import { memberParts, memberRoles, resources } from '../resources/index.ts';

/** The parts of a postal address. */
const address: Readonly<Record<string, MessageDescriptor>> = {
  line1: msg`Street and number`,
  line2: msg`Floor, suite, unit`,
  city: msg`City`,
  county: msg`County or parish`,
  region: msg`Region`,
  postalCode: msg`Postal code`,
  country: msg`Country`,
};

/** The labels of the parts of fields, and of the fields of each item of a list. */
const partLabels: Readonly<Record<string, Readonly<Record<string, MessageDescriptor>>>> = {
  address,
  mailingAddress: address,
  licenses: {
    number: msg`Number`,
    region: msg`Region`,
    type: msg`Type`,
    expiresOn: msg`Valid until`,
  },
  affiliations: {
    officeId: msg`Office`,
    title: msg`Job title in this office`,
    isVisible: msg`Shown to the public`,
    since: msg`Since`,
  },
  members: memberParts,
  source: { name: msg`System`, key: msg`ID in source` },
};

/** The labels of the values of fields that have a few. */
const choiceLabels: Readonly<Record<string, Readonly<Record<string, MessageDescriptor>>>> = {
  status: { active: msg`Active`, inactive: msg`Inactive` },
  branchType: { main: msg`Main office`, branch: msg`Branch`, stand_alone: msg`Stand-alone office` },
  role: memberRoles,
};

/** The label of a part of a field, without that of the field; its name in words if it has none. */
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

/** The label of a value of a field that has a few; undefined for any other field. */
export function choiceLabel(i18n: I18n, field: string, value: string): string | undefined {
  const label = choiceLabels[field]?.[value];
  if (label !== undefined) return i18n._(label);
  return isChoice(field) ? nameInWords(value) : undefined;
}

/** Texts as a list in the language of the page, in one line. */
export function listText(i18n: I18n, texts: readonly string[]): string {
  return new Intl.ListFormat(i18n.locale, { type: 'unit', style: 'short' }).format(texts);
}

/** The labels of fields, or of parts of them, as a list in one line. */
export function pathLabels(i18n: I18n, resource: ResourceName, paths: readonly string[]): string {
  return listText(
    i18n,
    paths.map((path) => pathLabel(i18n, resource, path)),
  );
}

/** The label of a field; its name in words if the definition of the resource has none. */
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
