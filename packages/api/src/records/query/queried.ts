import type { RawBuilder } from 'kysely';
import type { ResourceName } from '../../directory/registry.ts';
import type { JsonShape } from '../../engine/json/record-json.ts';
import type { IsWithin } from '../../engine/office-limit.ts';

export type QueryFieldType = 'text' | 'number' | 'boolean' | 'time' | 'day' | 'id' | 'texts';

/** Equates texts: the form of the stored one, and of the given one. */
interface Sameness {
  stored: RawBuilder<unknown>;
  given: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}

export interface StoredField {
  type: QueryFieldType;
  value: RawBuilder<unknown>;
  isNullable: boolean;
  canonical?: (text: string) => string;
  sameness?: Sameness;
  /** A condition implied by this value that an index supports, for fields without one. */
  implied?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

export interface Queried {
  resource: ResourceName;
  from: RawBuilder<unknown>;
  fields: Readonly<Record<string, StoredField>>;
  shape: JsonShape<{ id: string }>;
  /** Absent if its rows need unlimited access. */
  isWithin?: IsWithin;
  tieBreaks?: Readonly<Record<string, string>>;
}
