import type { Event } from '@roster/client';
import { createColors } from 'picocolors';
import stringWidth from 'string-width';
import { type Difference, differencesIn } from '../differences.ts';
import { nouns, valueAt } from '../nouns.ts';
import { fitted } from './table.ts';
import { printable, textOf } from './text.ts';

const NOTHING = '–';
const GAP = '  ';
/** The longest type, `office.deactivated`. */
const TYPE_WIDTH = 18;

interface Look {
  color: boolean;
  /** Cells of the terminal. */
  width: number;
}

/** `phone: 1 → 2` */
function differenceText({ field, before, after }: Difference, color: boolean): string {
  const { red, green } = createColors(color);
  const [was, became] = [before, after].map((value) => printable(textOf(value)) || NOTHING);
  return `${printable(field)}: ${red(was)} → ${green(became)}`;
}

/** The name of the record as it was then; of one that is gone for good, its id. */
function nameOf({ type, subject, record }: Event): string {
  const noun = nouns.find(({ singular }) => type.startsWith(`${singular}.`));
  const name = record !== null && noun !== undefined ? valueAt(record, noun.namePlace) : subject;
  return printable(textOf(name));
}

/** An event on one line that fits the terminal: when, what, which record, and what changed if there is room. */
export function eventLine(event: Event, { color, width }: Look): string {
  const { cyan, dim, green, red } = createColors(color);
  const { type, occurredAt, reason } = event;
  // Every other type says all that matters.
  const isUpdate = type.endsWith('.updated');
  const changes = isUpdate ? differencesIn(event).map((one) => differenceText(one, false)) : [];
  const why = reason === null ? [] : [`(${printable(reason)})`];
  const rest = [nameOf(event), changes.join(', '), ...why].filter(Boolean).join(GAP);
  const ink = type.endsWith('.created') ? green : /(deleted|purged)$/.test(type) ? red : cyan;
  // To the second, as a person reads it.
  const time = occurredAt.replace(/\.\d+Z$/, 'Z');
  const room = Math.max(1, width - stringWidth(time) - TYPE_WIDTH - 2 * GAP.length);
  return `${dim(time)}${GAP}${ink(type.padEnd(TYPE_WIDTH))}${GAP}${fitted(rest, room).trimEnd()}\n`;
}

/** An event as a paragraph: its version, when, what, by whom and why, and a line for each change. */
export function eventParagraph(event: Event, color: boolean): string {
  const { bold, dim } = createColors(color);
  const { version, occurredAt, type, actorId, reason } = event;
  const by = actorId === null ? 'by the service' : `by ${actorId}`;
  const why = reason === null ? '' : `${GAP}(${printable(reason)})`;
  const head = `${bold(`Version ${version}`)}${GAP}${occurredAt}${GAP}${type}${GAP}${dim(by)}${why}`;
  const lines = differencesIn(event).map((one) => `  ${differenceText(one, color)}`);
  return `${[head, ...lines].join('\n')}\n`;
}
