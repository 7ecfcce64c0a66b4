import type { BulkPreview } from '@roster/client';
import type { CommandContext } from '../context/command-context.ts';
import { counted } from '../context/report-change.ts';
import type { Resource } from '../resources.ts';
import { printable, textOf } from '../terminal/text.ts';

/** The effects of a change of many records, as the client reads them. */
type Preview = Omit<BulkPreview, 'samples'> & {
  samples: readonly { name: string; changes: readonly { field: string; from?: unknown; to?: unknown }[] }[];
};

/** The number, the samples and the errors of a change, as text. */
export function previewText(
  { count, checked, rejected, samples, errors }: Preview,
  { singular, name }: Pick<Resource, 'singular'> & { name: string },
  words = { selected: 'match', rejected: 'could not be changed' },
): string {
  const lines = [`${counted(count, [singular, name])} ${words.selected}.`];
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

const undoWords = { selected: 'to put back', rejected: 'could not be put back' };

/** Prints what an undo of many records would do: in sentences on a terminal, else as it was answered. */
export async function reportUndoPreview(
  preview: Preview,
  names: Pick<Resource, 'singular'> & { name: string },
  { io, json, printer }: CommandContext,
): Promise<void> {
  if (!io.isTerminal || json !== undefined) await printer.record({ ...preview });
  else io.stderr.write(`${previewText(preview, names, undoWords)}Nothing was undone.\n`);
}
