import type { BulkPreview } from '@roster/client';
import { counted, grouped, printable, textOf } from '../../ui/text.ts';
import type { CommandContext } from '../context.ts';

export type Names = readonly [singular: string, plural: string];

type Preview = Omit<BulkPreview, 'samples'> & {
  samples: readonly { name: string; changes: readonly { field: string; from?: unknown; to?: unknown }[] }[];
};

function previewText(preview: Preview, names: Names, words: typeof changeWords): string {
  const { count, checked, changed, rejected, partlyChanged, samples, errors } = preview;
  const lines = [words.selected(preview, names)];
  for (const sample of samples) {
    const changes = sample.changes.map(
      ({ field, from, to }) => `${field} ${textOf(from) || '""'} → ${textOf(to) || '""'}`,
    );
    lines.push(
      `  ${printable(sample.name)}${changes.length === 0 ? '' : `: ${printable(changes.join(', '))}`}`,
    );
  }
  if (samples.length > 0 && (changed > samples.length || count > checked)) lines.push('  …');
  if (errors.length > 0) {
    const counts = [
      rejected > 0 && `${grouped(rejected)} of the first ${checked} ${words.rejected}`,
      partlyChanged > 0 && `${grouped(partlyChanged)} only in part`,
    ];
    lines.push(`${counts.filter((text) => text !== false).join(', ')}:`);
    for (const { id, detail } of errors.slice(0, 5)) lines.push(`  ${id}: ${printable(detail)}`);
    if (errors.length > 5) lines.push('  …');
  }
  return lines.map((line) => `${line}\n`).join('');
}

const changeWords = {
  selected: ({ count }: Preview, names: Names) => `${counted(count, names)} match.`,
  rejected: 'could not be changed',
  done: 'changed',
};

function restoredText({ count, checked, changed }: Preview, names: Names): string {
  if (count === 0) return 'There is nothing to undo.';
  if (changed === 0 && checked === count) return 'Nothing can be undone: no record would be restored.';
  const number = grouped(changed);
  if (checked === count) return `${number} of ${counted(count, names)} would be restored.`;
  return `Of the first ${grouped(checked)} of ${counted(count, names)}, ${number} would be restored.`;
}

export const undoWords = { selected: restoredText, rejected: 'could not be restored', done: 'undone' };

export function showPreview(preview: Preview, names: Names, { io }: CommandContext): void {
  io.stderr.write(previewText(preview, names, changeWords));
}

export async function reportPreview(
  preview: Preview,
  names: Names,
  { io, printer }: CommandContext,
  words = changeWords,
): Promise<void> {
  if (!printer.isForPeople) await printer.record({ ...preview });
  else io.stderr.write(`${previewText(preview, names, words)}Nothing was ${words.done}.\n`);
}
