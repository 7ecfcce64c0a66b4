import type { BulkPreview } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import { counted } from '../context/report-change.ts';
import { printable, textOf } from '../terminal/text.ts';

/** The words for one of what is changed, and for many. */
export type Names = readonly [singular: string, plural: string];

/** The effects of a change of many records, as the client reads them. */
type Preview = Omit<BulkPreview, 'samples'> & {
  samples: readonly { name: string; changes: readonly { field: string; from?: unknown; to?: unknown }[] }[];
};

/** The number, the samples and the errors of a change, as text. */
function previewText(
  { count, checked, rejected, samples, errors }: Preview,
  names: Names,
  words: typeof changeWords,
): string {
  const lines = [`${counted(count, names)} ${words.selected}.`];
  for (const sample of samples) {
    const changes = sample.changes.map(
      ({ field, from, to }) => `${field} ${textOf(from) || '""'} → ${textOf(to) || '""'}`,
    );
    lines.push(
      `  ${printable(sample.name)}${changes.length === 0 ? '' : `: ${printable(changes.join(', '))}`}`,
    );
  }
  if (count > samples.length) lines.push('  …');
  if (rejected > 0) {
    lines.push(`${rejected.toLocaleString('en')} of the first ${checked} ${words.rejected}:`);
    for (const { id, detail } of errors.slice(0, 5)) lines.push(`  ${id}: ${printable(detail)}`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

const changeWords = { selected: 'match', rejected: 'could not be changed', done: 'changed' };
/** The words of an undo of many, for `reportPreview`. */
export const undoWords = { selected: 'to put back', rejected: 'could not be put back', done: 'undone' };

/** Prints on stderr what a change of many would do, before it is confirmed. */
export function showPreview(preview: Preview, names: Names, { io }: CommandContext): void {
  io.stderr.write(previewText(preview, names, changeWords));
}

/** Prints what a change of many would do: in sentences on a terminal, else as it was answered. */
export async function reportPreview(
  preview: Preview,
  names: Names,
  { io, printer }: CommandContext,
  words = changeWords,
): Promise<void> {
  if (!printer.isForPeople) await printer.record({ ...preview });
  else io.stderr.write(`${previewText(preview, names, words)}Nothing was ${words.done}.\n`);
}
