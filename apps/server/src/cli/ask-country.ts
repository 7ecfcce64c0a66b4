import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { phoneCountries } from '@roster/api';
import { countryName, findCountry } from '@roster/import/countries';

interface Terminal {
  input: Readable;
  output: Writable;
  signal: AbortSignal;
}

/** The question and its first answer; each wrong answer adds one. */
const LINES = 3;

/**
 * Returns the answer, or `suggested` for an empty one; undefined for neither, or if the server is stopped. Clears the question from the
 * screen.
 */
export async function askCountry(
  suggested: string | undefined,
  { input, output, signal }: Terminal,
): Promise<string | undefined> {
  const byDefault = suggested === undefined ? 'decide later' : countryName(suggested);
  // Ctrl-C stays with the terminal, which turns it into a signal.
  const lines = createInterface({ input, signal, terminal: false });
  output.write('\n  Phone numbers without a country code: which country are they from?\n');
  output.write(`  A name or a code, such as Portugal or PT (Enter: ${byDefault}): `);
  let shown = LINES;
  try {
    for await (const line of lines) {
      const found = line.trim() === '' ? suggested : findCountry(line, [...phoneCountries]);
      if (found !== undefined || line.trim() === '') {
        output.write(`\x1b[${shown}A\x1b[J`);
        return found;
      }
      shown += 1;
      output.write(`  There is no country "${line.trim()}". A name or a code (Enter: ${byDefault}): `);
    }
    output.write('\n');
    return signal.aborted ? undefined : suggested;
  } finally {
    lines.close();
  }
}
