import type { records } from '@roster/contract/fields';
import type { BareField, BareRecordContract, Kind } from '@roster/fields';

export type ResourceName = keyof typeof records;

export type FieldKind = Kind;

/** A field that a caller may write, generated from the schemas of the service. */
export interface FieldContract extends Omit<BareField, 'parts' | 'refersTo'> {
  parts?: FieldContract[];
  refersTo?: ResourceName;
}

export interface FilterContract {
  name: string;
  kind: FieldKind;
  /** Whether it takes several values, of which any matches. */
  isRepeatable?: true;
  maxLength?: number;
  choices?: string[];
  refersTo?: ResourceName;
}

export interface ResourceContract
  extends Pick<
    BareRecordContract,
    | 'singular'
    | 'nameField'
    | 'nameParts'
    | 'nameSort'
    | 'listFields'
    | 'usualColumns'
    | 'parentField'
    | 'parentNames'
    | 'sorts'
    | 'expansions'
  > {
  fields: readonly FieldContract[];
  filters: readonly FilterContract[];
}
