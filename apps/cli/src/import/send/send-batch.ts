import type { RosterError } from '@roster/client';
import type { Input } from '../../input/fields.ts';
import { placeOf } from '../check/validate-rows.ts';
import type { Importable } from '../importable.ts';
import { type Counts, type Ledger, noCounts } from '../journal.ts';
import { type Fault, type Headers, headerOf } from '../read/rows.ts';
import type { Batch, Sent } from './batches.ts';
import { differenceOf, recordsById } from './existing-records.ts';
import type { Service } from './import-client.ts';

/** What sending a batch needs. */
export interface Transfer {
  ledger: Ledger;
  service: Service;
  importable: Importable;
  headers: Headers;
  /** Whether the service is only asked what would happen. */
  isRehearsal: boolean;
  /** The key under which a batch is written once, however often it is sent. */
  keyOf: (batch: Batch) => string;
}

/** What became of one row. */
interface Outcome {
  sent: Sent;
  status: 'created' | 'updated' | 'unchanged' | 'refused';
  /** The id of its record; null where there is none yet. */
  id: string | null;
  faults: Fault[];
}

function faultOf(
  { row, line }: Sent,
  column: string,
  { code, reason }: { code: string; reason: string },
): Fault {
  return { row, line, column, code, reason };
}

/** The column of a place; an office that is named by its id in another system has that of the id. */
function columnOf(place: string, { headers, importable }: Transfer): string {
  const column = headerOf(headers, place);
  return column === place && place === importable.officeSource
    ? headerOf(headers, importable.officeId)
    : column;
}

/** What is sent to be checked: a main office that is in the file itself is not there yet. */
function rehearsed({ record, main_row }: Sent, { officeSource }: Importable): Input {
  if (main_row === null) return record;
  const { [officeSource]: _, ...rest } = record;
  return rest;
}

/** Sends rows to the import of the service; each has a source, or (with `match`) none does. */
async function sendToImport(
  rows: Sent[],
  transfer: Transfer,
  { mode, key }: { mode: 'upsert' | 'match'; key: string },
): Promise<Outcome[]> {
  const { service, importable, isRehearsal } = transfer;
  if (rows.length === 0) return [];
  const records = rows.map((sent) => (isRehearsal ? rehearsed(sent, importable) : sent.record));
  const results = await service.importRecords(records, {
    mode,
    dryRun: isRehearsal,
    ...(!isRehearsal && { idempotencyKey: key }),
  });
  return results.map(({ index, status, id, error }) => {
    const sent = rows[index] as Sent;
    const faults = (error?.errors ?? []).map(({ pointer, code, detail }) =>
      faultOf(sent, columnOf(placeOf(pointer), transfer), { code, reason: detail }),
    );
    const { errorsOmitted = 0 } = error ?? {};
    if (errorsOmitted > 0) {
      const reason = `and ${errorsOmitted.toLocaleString('en-US')} more faults`;
      faults.push(faultOf(sent, '', { code: 'more', reason }));
    }
    return { sent, status, id, faults };
  });
}

/** A refusal of one change as what is wrong with its row; throws what would meet every other row too. */
function refused(sent: Sent, error: unknown, transfer: Transfer): Outcome {
  const { name, status, code, detail, errors } = error as RosterError;
  const isOfRow = name === 'RosterError' && [400, 404, 409, 412, 422].includes(status);
  if (!isOfRow) throw error;
  const faults = errors.map(({ pointer, code, detail }) =>
    faultOf(sent, columnOf(pointer?.slice(2).replaceAll('/', '.') ?? '', transfer), { code, reason: detail }),
  );
  const whole = faultOf(sent, '', { code: code, reason: detail });
  return { sent, status: 'refused', id: sent.id, faults: faults.length > 0 ? faults : [whole] };
}

/** Changes the rows that say by their ids which records they are, where they differ. */
async function sendById(rows: Sent[], transfer: Transfer): Promise<Outcome[]> {
  const { service, importable, headers, isRehearsal } = transfer;
  const ids = rows.flatMap(({ id }) => id ?? []);
  const known = await recordsById(service, importable.name, ids);
  const send = async (sent: Sent): Promise<Outcome> => {
    const { id, record } = sent;
    const found = known.get(id ?? '');
    if (found === undefined) {
      const reason = 'is the id of no record here; --source takes the ids of another system';
      const fault = faultOf(sent, headerOf(headers, 'id'), { code: 'not_found', reason });
      return { sent, status: 'refused', id: null, faults: [fault] };
    }
    const difference = differenceOf(record, found);
    if (difference === undefined) return { sent, status: 'unchanged', id, faults: [] };
    if (isRehearsal) return { sent, status: 'updated', id, faults: [] };
    const changed = await service.change('update', { id, ...difference });
    return { sent, status: changed.version === found.version ? 'unchanged' : 'updated', id, faults: [] };
  };
  const outcomes: Outcome[] = [];
  for (const sent of rows)
    outcomes.push(await send(sent).catch((error: unknown) => refused(sent, error, transfer)));
  return outcomes;
}

/** Brings records into the state their rows say. A new one is active. */
async function settle(outcomes: Outcome[], transfer: Transfer): Promise<Outcome[]> {
  const { service, importable, isRehearsal } = transfer;
  const asked = outcomes.filter(({ sent, status, id }) => sent.status && status !== 'refused' && id !== null);
  const existing = asked.flatMap(({ status, id }) => (status === 'created' ? [] : (id ?? [])));
  const known = await recordsById(service, importable.name, existing);
  const settled: Outcome[] = [];
  for (const outcome of outcomes) {
    const { sent, id, status } = outcome;
    const now = status === 'created' ? 'active' : known.get(id ?? '')?.status;
    if (!asked.includes(outcome) || now === sent.status) {
      settled.push(outcome);
      continue;
    }
    const verb = sent.status === 'inactive' ? 'deactivate' : 'reactivate';
    const done: Outcome = { ...outcome, status: status === 'unchanged' ? 'updated' : status };
    if (isRehearsal) settled.push(done);
    else
      settled.push(
        await service.change(verb, { id }).then(
          () => done,
          (error: unknown) => refused(sent, error, transfer),
        ),
      );
  }
  return settled;
}

/** Whether a row has neither a key nor an id. */
const isKeyless = ({ source, id }: Sent) => source === null && id === null;

function countsOf(outcomes: readonly Outcome[]): Counts {
  const counts = { ...noCounts };
  for (const { sent, status } of outcomes) {
    counts[status] += 1;
    if (!isKeyless(sent) || status === 'refused') continue;
    if (status !== 'created') counts.matchedByEmail += 1;
    else {
      counts.createdWithoutKey += 1;
      if (typeof sent.record.email !== 'string') counts.createdWithoutEmail += 1;
    }
  }
  return counts;
}

/** Sends a batch, notes what is wrong with its rows, and answers what became of them. */
export async function sendBatch(
  batch: Batch,
  transfer: Transfer,
): Promise<{ counts: Counts; faults: Fault[] }> {
  const key = transfer.keyOf(batch);
  const [sourced, named, keyless] = [
    batch.rows.filter(({ source }) => source !== null),
    batch.rows.filter(({ source, id }) => source === null && id !== null),
    batch.rows.filter(isKeyless),
  ];
  const outcomes = await settle(
    [
      ...(await sendToImport(sourced, transfer, { mode: 'upsert', key })),
      ...(await sendById(named, transfer)),
      ...(await sendToImport(keyless, transfer, { mode: 'match', key: `${key}-match` })),
    ],
    transfer,
  );
  return { counts: countsOf(outcomes), faults: outcomes.flatMap(({ faults }) => faults) };
}
