import { readFileSync } from 'node:fs';

type Values = Record<string, string | undefined>;

/** The text of a file without the line ends at its end, which every editor leaves. Throws what the system says. */
function textOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
}

/**
 * Settings with each secret X that X_FILE names in its place, as Docker and Kubernetes hand secrets over.
 *
 * @param given the variables that are set and not empty
 * @param secrets the settings that may come from a file
 * @returns the settings, and what is wrong with a file: a fault names the variable and the file, never what it holds
 */
export function withSecretsFromFiles(
  given: Values,
  secrets: readonly string[],
): { values: Values; faults: string[] } {
  const values = { ...given };
  const faults: string[] = [];
  for (const name of secrets) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      faults.push(`${name} and ${variable} are both given: leave one of them out`);
      continue;
    }
    try {
      const text = textOf(path);
      if (text === '') faults.push(`${variable}: the file ${path} is empty`);
      else values[name] = text;
    } catch (error) {
      faults.push(`${variable}: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, faults };
}
