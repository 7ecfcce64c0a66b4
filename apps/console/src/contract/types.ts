/** How a form shows the value of a field. */
export type FieldKind =
  | 'text'
  | 'long-text'
  | 'email'
  | 'url'
  | 'choice'
  | 'switch'
  | 'date'
  | 'time'
  | 'reference'
  | 'list'
  | 'map'
  | 'object'
  | 'records';

/** A field that a caller may write, generated from the schemas of the service. */
export interface FieldContract {
  name: string;
  kind: FieldKind;
  isRequired?: true;
  /** In characters. */
  maxLength?: number;
  maxItems?: number;
  /** A regular expression that the value matches. */
  pattern?: string;
  choices?: string[];
  example?: unknown;
  /** In English, from the document of the API. */
  description: string;
  /** The fields of an object, or of each item of a list of objects. */
  parts?: FieldContract[];
}

/** A filter of a list. */
export interface FilterContract {
  name: string;
  kind: FieldKind;
  /** Whether it takes several values, of which any matches. */
  isRepeatable?: true;
  maxLength?: number;
  choices?: string[];
  description: string;
}

/** What can be written, filtered and sorted by of one resource. */
export interface ResourceContract {
  fields: FieldContract[];
  filters: FilterContract[];
  /** The values of `sort`. */
  sorts: string[];
}
