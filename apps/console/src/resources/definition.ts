import type { MessageDescriptor } from '@lingui/core';
import type { OfficeCounts } from '@roster/client';
import type { ResourceName } from '../api/contract/contracts.ts';
import type { Icon } from '../icons.tsx';

export interface FieldGroup {
  id: string;
  label: MessageDescriptor;
  fields: readonly string[];
  /** Whether a record has it folded at its end: what is seldom read, or stands in the title. */
  isFolded?: true;
}

export type Labels = Readonly<Record<string, MessageDescriptor>>;

export interface Relation {
  id: string;
  label: MessageDescriptor;
  resource: ResourceName;
  /** The field with which they refer to the record, which is the filter that finds them. */
  field: string;
  countOf?: ((counts: OfficeCounts) => number) | undefined;
}

type SpecialAction = 'transfer' | 'transferAgents';

/** A resource of the directory on the page, beside the fields, filters and orders of its contract. */
export interface ResourceDefinition {
  labels: {
    many: MessageDescriptor;
    all: MessageDescriptor;
    create: MessageDescriptor;
    createFirst: MessageDescriptor;
    search: MessageDescriptor;
    /** No record has what is looked for. */
    none: MessageDescriptor;
    noneYet: MessageDescriptor;
    about: MessageDescriptor;
    add: MessageDescriptor;
    /** The scopes that read and change its records; the second is also the dialog that changes many. */
    read: MessageDescriptor;
    change: MessageDescriptor;
    show: MessageDescriptor;
    events: MessageDescriptor;
  };
  counted: (count: number) => MessageDescriptor;
  icon: Icon;
  isPerson?: true;
  createIcon: Icon;
  keys: `g ${string}`;
  /** The events of a record, by what follows the resource in their type. */
  eventLabels: Labels;
  /** The paths of what tells a record from others of the same name. */
  detailPaths: readonly string[];
  fieldLabels: Labels;
  /** The filters of its list alone that have not the name of a field: what they and their values are called. */
  filterLabels?: Readonly<Record<string, { label: MessageDescriptor; values: Labels }>>;
  /** The groups in which a record and its form show the fields; the last has what no other names. */
  groups?: readonly FieldGroup[];
  usualFields?: readonly string[];
  /** The columns that a list offers first and last; the fields of the contract that are in neither are between them. */
  columns?: { first: readonly string[]; last: readonly string[] };
  /** The headings and counts of the records that refer to a record, by the filter that finds them: `offices.mainOfficeId`. */
  relations?: Readonly<Record<string, Partial<Pick<Relation, 'label' | 'countOf'>>>>;
  actions?: readonly SpecialAction[];
  cascades?: boolean;
}
