import type { RosterError } from '@roster/client';
import type { Input } from '../fields.ts';
import type { Batch, Sent } from './batches.ts';
import type { Importable } from './importable.ts';
import { differenceOf, recordsById } from './known-records.ts';
import type { Counts, Ledger } from './ledger.ts';
import { placeOf } from './reading.ts';
import { type Fault, type Headers, headerOf } from './rows.ts';
import type { Service } from './service.ts';

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
  status: keyof Counts;
  /** The id of its record; null where there is none yet. */
  id: string | null;
  faults: Fault[];
}

type Sending = (rows: Sent[], transfer: Transfer, batch: Batch) => Promise<Outcome[]>;

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

/** Sends the rows that say where their records came from. */
const sendBySource: Sending = async (rows, transfer, batch) => {
  const { service, importable, isRehearsal, keyOf } = transfer;
  if (rows.length === 0) return [];
  const records = rows.map((sent) => (isRehearsal ? rehearsed(sent, importable) : sent.record));
  const results = await service.importRecords(records, {
    dryRun: isRehearsal,
    ...(!isRehearsal && { idempotencyKey: keyOf(batch) }),
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
};

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
const sendById: Sending = async (rows, transfer) => {
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
};

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

/** Sends a batch, notes what is wrong with its rows, and answers what became of them. */
export async function sendBatch(
  batch: Batch,
  transfer: Transfer,
): Promise<{ counts: Counts; faults: Fault[] }> {
  const bySource = await sendBySource(
    batch.rows.filter(({ source }) => source !== null),
    transfer,
    batch,
  );
  const byId = await sendById(
    batch.rows.filter(({ source }) => source === null),
    transfer,
    batch,
  );
  const outcomes = await settle([...bySource, ...byId], transfer);
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, refused: 0 };
  for (const { status } of outcomes) counts[status] += 1;
  return { counts, faults: outcomes.flatMap(({ faults }) => faults) };
}
