import { folded } from './countries.ts';

/** Further names that files have for a language. */
const otherNames: Readonly<Record<string, string>> = {
  mandarin: 'zh',
  cantonese: 'yue',
  farsi: 'fa',
  castilian: 'es',
};

const letters = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x61 + index));

let index: Map<string, string> | undefined;

/** The languages with a code of two letters by their names: those of the console, and their own. */
function names(): Map<string, string> {
  if (index !== undefined) return index;
  index = new Map(Object.entries(otherNames));
  const named = (language: string, code: string) =>
    new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(code);
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    const english = named('en', code);
    if (english === undefined) continue;
    for (const name of [english, named('pt', code), named(code, code)])
      if (name !== undefined && !index.has(folded(name))) index.set(folded(name), code);
  }
  return index;
}

/** The tag of a language that is given by its name in English, Portuguese or the language itself; any other text unchanged. */
export function readLanguage(text: string): string {
  return names().get(folded(text)) ?? text;
}
