import { createColors } from 'picocolors';
import { printable } from './text.ts';

/** Text that roster has formatted: the only text whose escape sequences reach a terminal. */
export class Styled {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | Styled;

function safe(part: Part): string {
  return part instanceof Styled ? part.text : printable(part);
}

/** Joins parts with a separator; control characters in plain parts become visible escapes. */
export function joined(parts: readonly Part[], separator = ''): Styled {
  return new Styled(parts.map(safe).join(separator));
}

/** A template tag: the literal text is trusted, the parts are escaped as by `joined`. */
export function styled(texts: TemplateStringsArray, ...parts: Part[]): Styled {
  return new Styled(String.raw({ raw: texts }, ...parts.map(safe)));
}

export function linesOf(lines: readonly Part[]): Styled {
  return new Styled(lines.map((line) => `${safe(line)}\n`).join(''));
}

type Ink = 'bold' | 'cyan' | 'dim' | 'green' | 'red';

type Styles = Record<Ink, (part: Part) => Styled>;

/** Functions that style text; without colour they leave it plain. */
export function stylesFor(color: boolean): Styles {
  const colors = createColors(color);
  const style = (ink: Ink) => (part: Part) => new Styled(colors[ink](safe(part)));
  return {
    bold: style('bold'),
    cyan: style('cyan'),
    dim: style('dim'),
    green: style('green'),
    red: style('red'),
  };
}
