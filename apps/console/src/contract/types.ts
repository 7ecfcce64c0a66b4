import type { BareField, Kind } from '@roster/contract';

/** How a form shows the value of a field. */
export type FieldKind = Kind;

/** A field that a caller may write, generated from the schemas of the service. */
export type FieldContract = BareField;

/** A filter of a list. */
export interface FilterContract {
  name: string;
  kind: FieldKind;
  /** Whether it takes several values, of which any matches. */
  isRepeatable?: true;
  maxLength?: number;
  choices?: string[];
}

/** What can be written, filtered and sorted by of one resource. */
export interface ResourceContract {
  /** One of the records, as the types of events and the fields that refer to it name it: `agent`. */
  singular: string;
  fields: FieldContract[];
  filters: FilterContract[];
  /** The values of `sort`. */
  sorts: string[];
}
