import { records } from '@roster/contract/records';
import type { Row } from '../contract/columns.ts';

export type ReadHome = () => Promise<string | null>;

const phoneFields: ReadonlySet<string> = new Set(
  Object.values(records).flatMap(({ fields }) =>
    fields.filter(({ kind }) => kind === 'phone').map(({ name }) => name),
  ),
);

export const isPhoneField = (field: string) => phoneFields.has(field.split('.').at(-1) ?? '');

type Read = (number: string) => string;

function withRead(value: unknown, read: Read): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      name,
      phoneFields.has(name) && typeof one === 'string' ? read(one) : withRead(one, read),
    ]),
  );
}

/** Records with their phone numbers as people read them. The country is asked for only if there is a number. */
export async function withReadablePhones(rows: readonly Row[], readHome: ReadHome): Promise<readonly Row[]> {
  let hasPhone = false;
  for (const row of rows)
    withRead(row, (number) => {
      hasPhone = true;
      return number;
    });
  if (!hasPhone) return rows;
  const [{ readablePhone }, home] = await Promise.all([import('@roster/contract/phones'), readHome()]);
  return rows.map((row) => withRead(row, (number) => readablePhone(number, home)) as Row);
}
