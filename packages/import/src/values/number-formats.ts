/** A part of a number format: a digit, which is shown as zero if the number has none there, or a text. */
type Token = { digit: '0' | '#' } | { text: string };

/** The parts of a format between semicolons, each without its condition and its colours or languages. */
function sectionsOf(format: string): { body: string; condition: string | undefined }[] {
  const sections = format.match(/(?:"[^"]*"|\\.|[^;"\\])+/g) ?? [];
  return sections.map((section) => {
    const [, condition] = /\[([<>=]+-?\d+(?:\.\d+)?)\]/.exec(section) ?? [];
    return { body: section.replaceAll(/\[[^\]]*\]/g, ''), condition };
  });
}

function isMet(condition: string, value: number): boolean {
  const [, operator = '', limit = ''] = /^([<>=]+)(.*)$/.exec(condition) ?? [];
  const by: Readonly<Record<string, boolean>> = {
    '<': value < Number(limit),
    '<=': value <= Number(limit),
    '>': value > Number(limit),
    '>=': value >= Number(limit),
    '=': value === Number(limit),
  };
  return by[operator] ?? false;
}

/** The digits and texts of a section; undefined for one that shows a quantity, a share or a day, and not the digits of a code. */
function tokensOf(body: string): Token[] | undefined {
  const tokens: Token[] = [];
  for (const [part] of body.matchAll(/"[^"]*"|\\.|_.|./g)) {
    if (part === '0' || part === '#') tokens.push({ digit: part });
    else if (part.startsWith('"')) tokens.push({ text: part.slice(1, -1) });
    else if (part.startsWith('\\')) tokens.push({ text: part.slice(1) });
    else if (part.startsWith('_')) tokens.push({ text: '' });
    else if (/^[-\s()/+:]$/.test(part)) tokens.push({ text: part });
    else return undefined;
  }
  return tokens;
}

/**
 * The text that a format of digits shows for a whole number, such as `02138-1234` in `00000-0000`: codes and phone numbers are texts as
 * they are shown. Undefined for a format of another kind.
 */
export function shownDigits(value: number, format: string): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined;
  const sections = sectionsOf(format);
  const found = sections.find(({ condition }) => condition !== undefined && isMet(condition, value));
  const { body = '' } =
    found ??
    sections.findLast(({ condition }) => condition === undefined && sections.some((one) => one.condition)) ??
    sections[0] ??
    {};
  const tokens = tokensOf(body);
  const places = tokens?.flatMap((token) => ('digit' in token ? token.digit : [])) ?? [];
  if (tokens === undefined || places.length === 0 || (places.length === 1 && tokens.length === 1))
    return undefined;
  let digits = [...String(value)];
  let open = places.length;
  const shown = tokens.map((token) => {
    if ('text' in token) return token.text;
    // A number with more digits than places has the others at the first one.
    const count =
      open === places.length ? Math.max(digits.length - places.length + 1, 0) : Number(digits.length >= open);
    open -= 1;
    const taken = digits.slice(0, count).join('');
    digits = digits.slice(count);
    return taken === '' && token.digit === '0' ? '0' : taken;
  });
  return shown.join('').trim();
}
