/** A Markdown table: the first column text, the others figures, unless all are text. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
  { isText = false } = {},
): string {
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [
    line(head),
    line(head.map((_, index) => (isText || index === 0 ? '---' : '---:'))),
    ...rows.map(line),
  ].join('\n');
}
