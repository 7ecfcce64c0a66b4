import type { Event } from '@roster/client';
import stringWidth from 'string-width';
import { type Difference, differencesIn } from '../history/diff.ts';
import { nouns, valueAt } from '../resources.ts';
import { linesOf, type Styled, styled, stylesFor } from './styled.ts';
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
function differenceText({ field, before, after }: Difference, color: boolean): Styled {
  const { red, green } = stylesFor(color);
  const [was, became] = [textOf(before) || NOTHING, textOf(after) || NOTHING];
  return styled`${field}: ${red(was)} → ${green(became)}`;
}

/** The name of the record as it was then; of one that is gone for good, its id. */
function nameOf({ type, subject, record }: Event): string {
  const noun = nouns.find(({ singular }) => type.startsWith(`${singular}.`));
  const name = record !== null && noun !== undefined ? valueAt(record, noun.namePlace) : subject;
  return textOf(name);
}

/** An event on one line that fits the terminal: when, what, which record, and what changed if there is room. */
export function eventLine(event: Event, { color, width }: Look): Styled {
  const { cyan, dim, green, red } = stylesFor(color);
  const { type, occurredAt, reason } = event;
  // Every other type says all that matters.
  const isUpdate = type.endsWith('.updated');
  const changes = isUpdate ? differencesIn(event).map((one) => differenceText(one, false).text) : [];
  const why = reason === null ? [] : [`(${reason})`];
  const rest = printable([nameOf(event), changes.join(', '), ...why].filter(Boolean).join(GAP));
  const ink = type.endsWith('.created') ? green : /(deleted|purged)$/.test(type) ? red : cyan;
  // To the second, as a person reads it.
  const time = occurredAt.replace(/\.\d+Z$/, 'Z');
  const room = Math.max(1, width - stringWidth(time) - TYPE_WIDTH - 2 * GAP.length);
  const what = ink(printable(type).padEnd(TYPE_WIDTH));
  return linesOf([styled`${dim(time)}${GAP}${what}${GAP}${fitted(rest, room).trimEnd()}`]);
}

/** An event as a paragraph, with the names of keys that `nameOf` knows: its version, when, what, by whom and why, and a line for each change. */
export function eventParagraph(
  event: Event,
  { color, nameOf }: { color: boolean; nameOf: (id: string) => string },
): Styled {
  const { bold, dim } = stylesFor(color);
  const { version, occurredAt, type, actorId, reason } = event;
  const by = actorId === null ? 'by the service' : `by ${nameOf(actorId)}`;
  const why = reason === null ? '' : `${GAP}(${reason})`;
  const head = styled`${bold(`Version ${version}`)}${GAP}${occurredAt}${GAP}${type}${GAP}${dim(by)}${why}`;
  const lines = differencesIn(event).map((one) => styled`  ${differenceText(one, color)}`);
  return linesOf([head, ...lines]);
}
