import type { Event, FieldChange, PendingChange, RecordChange } from '@roster/client';
import stringWidth from 'string-width';
import { type Row, valueAt } from '../../contract/columns.ts';
import { resources } from '../../contract/resources.ts';
import { fitted } from '../../ui/table.ts';
import { fieldEntries, linesOf, printable, type Styled, styled, stylesFor, textOf } from '../../ui/text.ts';

const NOTHING = '–';

const GAP = '  ';

/** Width of `office.deactivated`; few types are longer. */
const TYPE_WIDTH = 18;

interface LineLayout {
  color: boolean;
  width: number;
}

/** `transfer to 01980a3c-… at 2027-01-04T00:00:00.000Z` */
function scheduledText({ change, officeId, effectiveAt }: PendingChange): string {
  const office = officeId === null ? [] : ['to', officeId];
  return [change.replace('_', ' '), ...office, 'at', effectiveAt].join(' ');
}

function valueText(field: string, value: unknown): string {
  if (field !== 'scheduledChanges' || !Array.isArray(value)) return textOf(value);
  return (value as PendingChange[]).map(scheduledText).join(', ');
}

/** `phone: 1 → 2` */
function differenceText({ field, before, after }: FieldChange, color: boolean): Styled {
  const { red, green } = stylesFor(color);
  const [was, became] = [valueText(field, before) || NOTHING, valueText(field, after) || NOTHING];
  return styled`${field}: ${red(was)} → ${green(became)}`;
}

/** The name of the record at the time of the event; the id of a purged record. */
function nameOf({ type, subject, record }: Event): string {
  const resource = resources.find(({ singular }) => type.startsWith(`${singular}.`));
  const name = record !== null && resource !== undefined ? valueAt(record, resource.nameField) : subject;
  return textOf(name);
}

/** Adds as many whole changes to a name as fit, so that no value is cut. */
function restWithin(
  room: number,
  { name, changes, reason }: { name: string; changes: readonly string[]; reason: string | null },
): string {
  const suffix = reason === null ? [] : [`(${reason})`];
  const textWith = (count: number) => {
    const shown = count < changes.length ? [...changes.slice(0, count), '…'] : changes;
    return printable([name, shown.join(', '), ...suffix].filter(Boolean).join(GAP));
  };
  const counts = Array.from(changes, (_, left) => changes.length - left);
  const count = counts.find((one) => stringWidth(textWith(one)) <= room) ?? 0;
  return fitted(textWith(count), room).trimEnd();
}

export function eventLine(event: Event, { color, width }: LineLayout): Styled {
  const { cyan, dim, green, red } = stylesFor(color);
  const { type, occurredAt, reason } = event;
  // The other types are self-explanatory.
  const isUpdate = type.endsWith('.updated');
  const changes = isUpdate ? diffEvent(event).map((one) => differenceText(one, false).text) : [];
  const ink = type.endsWith('.created') ? green : /(deleted|purged)$/.test(type) ? red : cyan;
  const time = occurredAt.replace(/\.\d+Z$/, 'Z');
  const room = Math.max(1, width - stringWidth(time) - Math.max(TYPE_WIDTH, type.length) - 2 * GAP.length);
  const what = ink(printable(type).padEnd(TYPE_WIDTH));
  const rest = restWithin(room, { name: nameOf(event), changes, reason });
  return linesOf([styled`${dim(time)}${GAP}${what}${GAP}${rest}`]);
}

function mergeText({ merge, details }: RecordChange): string | undefined {
  if (merge === null) return undefined;
  const [survivor, duplicate] = [merge.survivor, merge.duplicate].map((one) =>
    one === null ? 'another record' : [one.name, `(${one.id})`].filter(Boolean).join(' '),
  );
  return `${details?.undoesMerge === true ? 'undoes the merge' : 'merge'} of ${duplicate} into ${survivor}`;
}

export function changeParagraph(
  change: RecordChange,
  { color, actor }: { color: boolean; actor: string },
): Styled {
  const { version, occurredAt, type, reason, changes } = change;
  const { bold, dim } = stylesFor(color);
  const suffix = reason === null ? '' : `${GAP}(${reason})`;
  const head = styled`${bold(`Version ${version}`)}${GAP}${occurredAt}${GAP}${type}${GAP}${dim(`by ${actor}`)}${suffix}`;
  const lines = changes.map((one) => styled`  ${differenceText(one, color)}`);
  const merge = mergeText(change);
  return linesOf([head, ...(merge === undefined ? [] : [styled`  ${merge}`]), ...lines]);
}

/** The value of a field; null if it is missing, or an empty list. */
function valueIn(values: ReadonlyMap<string, unknown>, field: string): unknown {
  const value = values.get(field) ?? null;
  return Array.isArray(value) && value.length === 0 ? null : value;
}

/**
 * The fields that an event changed; all fields of a created record. Leaves out the ID, the version, and timestamps that equal
 * the time of the event.
 */
function diffEvent({ type, record, previous, occurredAt }: Event): FieldChange[] {
  const now: Row = record ?? {};
  const isNew = type.endsWith('.created');
  const changed = isNew ? now : Object.fromEntries(Object.keys(previous).map((name) => [name, now[name]]));
  const before = new Map(fieldEntries(previous));
  const after = new Map(fieldEntries(changed));
  return [...new Set([...after.keys(), ...before.keys()])]
    .map((field) => ({ field, before: valueIn(before, field), after: valueIn(after, field) }))
    .filter(({ field, before, after }) => {
      const isRedundant = field === 'id' || field === 'version' || after === occurredAt;
      return !isRedundant && JSON.stringify(before) !== JSON.stringify(after);
    });
}
