import type { Highlight } from '../service/client.ts';
import { joined, type Styled, stylesFor } from './styled.ts';

interface HighlightedOptions {
  /** The parts to show in bold, in order. */
  ranges: readonly Pick<Highlight, 'start' | 'end'>[];
  isDimmed: boolean;
  color: boolean;
}

/** A line with parts of it in bold; a dimmed one is dimmed between them. */
export function highlighted(line: string, { ranges, isDimmed, color }: HighlightedOptions): Styled {
  const { bold, dim } = stylesFor(color);
  const plain = (text: string) => (isDimmed && text !== '' ? dim(text) : text);
  let shownTo = 0;
  const parts = ranges.flatMap(({ start, end }) => {
    const between = line.slice(shownTo, start);
    shownTo = end;
    return [plain(between), bold(line.slice(start, end))];
  });
  return joined([...parts, plain(line.slice(shownTo))]);
}
