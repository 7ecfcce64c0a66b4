import type { RawBuilder } from 'kysely';
import type { ResourceName } from '../../directory.ts';
import type { JsonShape } from '../../engine/json/record-json.ts';
import type { IsWithin } from '../../engine/office-limit.ts';

/** The type of a field that conditions and orders can name; `id` is a UUID, which is compared as its text is. */
export type QueryFieldType = 'text' | 'number' | 'boolean' | 'time' | 'day' | 'id' | 'texts';

/** The form by which texts of a field are the same: of the field in a row, and of a text that it is compared with. */
interface Sameness {
  stored: RawBuilder<unknown>;
  given: (text: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** A field with its value in a row of its table. */
export interface StoredField {
  type: QueryFieldType;
  value: RawBuilder<unknown>;
  isNullable: boolean;
  /** The form of a code, in which it is stored. */
  canonical?: (text: string) => string;
  /** The form by which a text is the same as another, for fields whose texts are not compared as they are. */
  sameness?: Sameness;
  /** A condition that each row with this value meets, for fields whose own condition no index answers. */
  implied?: (value: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/** The rows that a query reads: the records of a resource, or the items of a list in them. */
export interface Queried {
  /** The resource whose scope the query needs. */
  resource: ResourceName;
  /** The tables with the rows, behind `from`. */
  from: RawBuilder<unknown>;
  fields: Readonly<Record<string, StoredField>>;
  shape: JsonShape<{ id: string }>;
  /** Absent if none of its rows is for limited callers. */
  isWithin?: IsWithin;
  /** By the path of a field, the one that breaks its ties before the id does. */
  tieBreaks?: Readonly<Record<string, string>>;
}
