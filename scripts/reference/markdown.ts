/** A text as the cell of a Markdown table: on one line, with its vertical bars escaped. */
const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');

/** A Markdown table. `rows` are escaped; `header` is written as it is. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [header, header.map(() => '---'), ...rows.map((row) => row.map(cell))];
  return lines.map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const NOTE = '`npm run generate` writes this page; a test compares it with the code.';

/** A generated page: its title, a note on the command that writes it, and its parts with a blank line between them. */
export function page(title: string, parts: readonly string[], note = NOTE): string {
  return `${[`# ${title}`, `<!-- ${note} -->`, ...parts.filter((part) => part !== '')].join('\n\n')}\n`;
}

/** A number of bytes as people write it: `256 KiB`. Only whole units become a larger one. */
export function bytes(count: number): string {
  const units = ['bytes', 'KiB', 'MiB'];
  let unit = 0;
  let shown = count;
  while (shown % 1024 === 0 && unit < units.length - 1) {
    shown /= 1024;
    unit += 1;
  }
  return `${number(shown)} ${units[unit]}`;
}

/** A duration given in milliseconds as people write it: `30 s`, `5 min`, `24 h`. */
export function duration(milliseconds: number): string {
  const units = [
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  for (const [name, length] of units) {
    if (milliseconds >= length && milliseconds % length === 0) return `${milliseconds / length} ${name}`;
  }
  return `${number(milliseconds)} ms`;
}

/** A number with its thousands apart: `10,000`. */
export const number = (value: number): string => value.toLocaleString('en');
