import type { records } from '@roster/contract/fields';
import type { BareField, BareRecordContract, Kind } from '@roster/fields';

/** A resource of the directory: those whose records the page lists, edits and imports. */
export type ResourceName = keyof typeof records;

/** The kind of a field, by which a form shows its value. */
export type FieldKind = Kind;

/** A field that a caller may write, generated from the schemas of the service. */
export interface FieldContract extends Omit<BareField, 'parts' | 'refersTo'> {
  parts?: FieldContract[];
  /** The resource whose record it has the id of. */
  refersTo?: ResourceName;
}

/** A filter of a list. */
export interface FilterContract {
  name: string;
  kind: FieldKind;
  /** Whether it takes several values, of which any matches. */
  isRepeatable?: true;
  maxLength?: number;
  choices?: string[];
  /** The resource whose records it takes the ids of. */
  refersTo?: ResourceName;
}

/** The fields, filters and sorts of one resource. */
export interface ResourceContract
  extends Pick<
    BareRecordContract,
    | 'singular'
    | 'nameField'
    | 'nameSort'
    | 'listFields'
    | 'parentField'
    | 'parentNames'
    | 'sorts'
    | 'expansions'
  > {
  fields: readonly FieldContract[];
  filters: readonly FilterContract[];
}
