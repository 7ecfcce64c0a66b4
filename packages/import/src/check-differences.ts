import type { OutgoingRow } from './batches.ts';
import type { ImportClient } from './import-client.ts';
import type { Importable } from './importable.ts';
import { fieldPathOf, type Input, type Row } from './rows.ts';

/** A row that is about an existing record, what it would change in it, and that record. */
export interface Difference {
  sent: OutgoingRow;
  difference: Input;
  found: Row;
}

/** A fault of a field of a record. */
export interface FieldFault {
  field: string;
  code: string;
  message: string;
}

const folded = (value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value);

/**
 * Has the service check changes of records that are identified by their ids, which its import does not do: each is checked as a new
 * record with what the change says. Only errors of fields that the row changes count. What only an update finds, such as a circle
 * of offices, is found when it is written.
 * @returns the faults by row
 */
export async function checkDifferences(
  differences: readonly Difference[],
  { client, importable }: { client: ImportClient; importable: Importable },
): Promise<Map<number, FieldFault[]>> {
  const faults = new Map<number, FieldFault[]>();
  if (differences.length === 0) return faults;
  const records = differences.map(({ difference, found }): Input => {
    const kept = importable.requiredFields.map((name) => [name, found[name]]);
    const { email, ...changed } = difference;
    // The record's own address, in other letters, is taken by itself.
    const isOwn = folded(email) === folded(found.email);
    return { ...Object.fromEntries(kept), ...changed, ...(email !== undefined && !isOwn && { email }) };
  });
  const results = await client.importRecords(records, { mode: 'create', dryRun: true });
  for (const { index, error } of results) {
    const { sent, difference } = differences[index] as Difference;
    const own = (error?.errors ?? []).flatMap(({ pointer, code, detail }): FieldFault[] => {
      const field = fieldPathOf(pointer);
      const [name = ''] = field.split('.', 1);
      return name in difference ? [{ field, code, message: detail }] : [];
    });
    if (own.length > 0) faults.set(sent.row, own);
  }
  return faults;
}
