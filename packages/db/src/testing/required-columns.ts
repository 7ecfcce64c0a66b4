import type { RecordTable } from '../repeatable/repeatable-migration.ts';

/** The columns that a record must have, beside its times, when a test writes its row around the API. */
export const requiredColumns: Readonly<Record<RecordTable, Record<string, unknown>>> = {
  office: { name: 'Casa' },
  agent: { first_name: 'Ana', last_name: 'Silva' },
  team: { name: 'Ribeira' },
};
