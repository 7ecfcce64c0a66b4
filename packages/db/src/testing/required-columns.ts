import type { RecordTable } from '../repeatable/repeatable-migration.ts';

/** For rows that tests write around the API. */
export const requiredColumns: Readonly<Record<RecordTable, Record<string, unknown>>> = {
  office: { name: 'Casa' },
  agent: { first_name: 'Ana', last_name: 'Silva' },
  team: { name: 'Ribeira' },
};
