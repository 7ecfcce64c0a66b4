import type { I18n, MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ResourceName } from '../contract/contracts.ts';
import { fieldLabels } from './labels.ts';

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
    title: msg`Job title there`,
    isVisible: msg`Shown to the public`,
    since: msg`Since`,
  },
  source: { name: msg`System`, key: msg`Key there` },
};

/** The labels of the values of fields that have a few. */
export const choiceLabels: Readonly<Record<string, Readonly<Record<string, MessageDescriptor>>>> = {
  status: { active: msg`Active`, inactive: msg`Inactive` },
  branchType: { main: msg`Main office`, branch: msg`Branch`, stand_alone: msg`Stand-alone office` },
};

/** The label of a part of a field, without that of the field; undefined if it is not known, such as a name of metadata. */
export function partLabel(field: string, part: string): MessageDescriptor | undefined {
  return partLabels[field]?.[part];
}

/**
 * The label of a field or of a part of one by its path: `phone`, `address.city`, `licenses.0.number`, `metadata.costCentre`. A
 * name that is not known stands for itself.
 */
export function pathLabel(i18n: I18n, resource: ResourceName, path: string): string {
  const [field = '', ...parts] = path.split('.');
  const label = fieldLabels[resource][field];
  const own = label === undefined ? field : i18n._(label);
  if (parts.length === 0) return own;
  if (field === 'metadata') return `${own}: ${parts.join('.')}`;
  const named = parts.map((part) => {
    const known = partLabel(field, part);
    if (known !== undefined) return i18n._(known);
    return /^\d+$/.test(part) ? String(Number(part) + 1) : part;
  });
  return [own, ...named].join(', ');
}
