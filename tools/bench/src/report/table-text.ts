/** Text of Markdown. */

const row = (cells: string[]) => `| ${cells.join(' | ')} |`;

/** A Markdown table: the first column text, the others figures, unless all are text. */
export function markdownTable(head: string[], rows: string[][], { isText = false } = {}): string {
  const alignment = head.map((_, index) => (isText || index === 0 ? '---' : '---:'));
  return [row(head), row(alignment), ...rows.map(row)].join('\n');
}
