/** A model in the terms of CSDL, of which the metadata document is made. */

type PrimitiveType =
  | 'Edm.String'
  | 'Edm.Boolean'
  | 'Edm.Int64'
  | 'Edm.Int32'
  | 'Edm.Date'
  | 'Edm.DateTimeOffset';

/** An annotation: its term, and its value. */
export interface Annotation {
  term: string;
  value: AnnotationValue;
}
export type AnnotationValue =
  | { text: string }
  | { boolean: boolean }
  | { int: number }
  | { paths: readonly string[]; of: 'property' | 'navigation' }
  | { record: Readonly<Record<string, AnnotationValue>> }
  | { texts: readonly string[] };

export interface Property {
  name: string;
  type: PrimitiveType;
  isCollection?: boolean;
  isNullable: boolean;
  maxLength?: number;
  /** Decimal places of the seconds of a time. */
  precision?: number;
  annotations?: readonly Annotation[];
}

export interface NavigationProperty {
  name: string;
  /** The name of an entity type. */
  type: string;
  isCollection?: boolean;
  annotations?: readonly Annotation[];
}

export interface EntityType {
  name: string;
  /** The name of the property that is the key. */
  key: string;
  properties: readonly Property[];
  navigation?: readonly NavigationProperty[];
  annotations?: readonly Annotation[];
}

export interface EntitySet {
  /** The name of its entity type too. */
  name: string;
  /** The entity sets of the navigation properties. */
  bindings?: Readonly<Record<string, string>>;
  annotations?: readonly Annotation[];
}

/** A term that annotations of the model use and no public vocabulary has. */
export interface Term {
  namespace: string;
  name: string;
  type: PrimitiveType;
  appliesTo: string;
}

export interface Model {
  namespace: string;
  container: string;
  /** The vocabularies that annotations use, by alias. */
  vocabularies: readonly { alias: string; namespace: string; url: string }[];
  terms: readonly Term[];
  types: readonly EntityType[];
  sets: readonly EntitySet[];
  /** Annotations of the container. */
  annotations?: readonly Annotation[];
}
