import type { MessageDescriptor } from '@lingui/core';
import type { LucideIcon } from 'lucide-react';
import type { ResourceName } from '../contract/contracts.ts';

/** Fields that are shown and edited together. */
export interface FieldGroup {
  /** Also the key of the group. */
  id: string;
  label: MessageDescriptor;
  fields: readonly string[];
}

export type Labels = Readonly<Record<string, MessageDescriptor>>;

/** Records of a resource that refer to a record. */
export interface Relation {
  /** Also the id of their heading. */
  id: string;
  label: MessageDescriptor;
  resource: ResourceName;
  /** The field with which they refer to the record, which is the filter that finds them. */
  field: string;
  /** The number of them, from the counts that are embedded in the record. */
  countOf?: ((counts: RecordCounts) => number) | undefined;
}

/** The counts that the service embeds in a record. */
export interface RecordCounts {
  agents: { active: number; inactive: number };
  affiliatedAgents: number;
  branches: number;
}

/** A change of one record that not all resources have. */
type SpecialAction = 'transfer' | 'transferAgents';

/** A resource of the directory on the page, beside the fields, filters and orders of its contract. */
export interface ResourceDefinition {
  labels: {
    /** Its records: "Agents". */
    many: MessageDescriptor;
    all: MessageDescriptor;
    /** The action that creates a record, and the form of it. */
    create: MessageDescriptor;
    /** The same in a list that has no record yet, and what the list is for. */
    createFirst: MessageDescriptor;
    about: MessageDescriptor;
    /** The control that adds a record to a filter. */
    add: MessageDescriptor;
    /** The scopes that read and change its records; the second is also the dialog that changes many. */
    read: MessageDescriptor;
    change: MessageDescriptor;
    /** The link to the list. */
    show: MessageDescriptor;
    events: MessageDescriptor;
  };
  /** A number of records in words. */
  counted: (count: number) => MessageDescriptor;
  icon: LucideIcon;
  /** Whether its records are people, whose initials stand before their names. */
  isPerson?: true;
  /** The icon of the action that creates a record. */
  createIcon: LucideIcon;
  /** The keys that open the list, one after the other. */
  keys: `g ${string}`;
  /** The events of a record, by what follows the resource in their type. */
  eventLabels: Labels;
  /** The paths of what tells a record from others of the same name. */
  detailPaths: readonly string[];
  /** The labels of fields, those that only the service writes included. */
  fieldLabels: Labels;
  /** The filters of its list alone that have not the name of a field: what they and their values are called. */
  filterLabels?: Readonly<Record<string, { label: MessageDescriptor; values: Labels }>>;
  /** The groups in which a record and its form show the fields; the last has what no other names. */
  groups?: readonly FieldGroup[];
  /** The fields that people change most, which the form of a record has first. */
  usualFields?: readonly string[];
  /** The columns that a list offers first and last; the fields of the contract that are in neither are between them. */
  columns?: { first: readonly string[]; last: readonly string[] };
  /** The columns that a list shows unless its URL or the browser knows others, if not those that tell a record from others. */
  defaultColumns?: readonly string[];
  /** The headings and counts of the records that refer to a record, by the filter that finds them: `offices.mainOfficeId`. */
  relations?: Readonly<Record<string, Partial<Pick<Relation, 'label' | 'countOf'>>>>;
  /** The changes of one record that not all resources have. */
  actions?: readonly SpecialAction[];
  /** Whether its deactivation can deactivate agents too. */
  cascades?: boolean;
}
