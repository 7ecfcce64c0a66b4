import { readFileSync } from 'node:fs';

type Values = Record<string, string | undefined>;

function textOf(path: string): string {
  return readFileSync(path, 'utf8').replace(/[\r\n]+$/, '');
}

/**
 * Replaces `X_FILE` by `X` with the content of the file, as Docker and Kubernetes pass secrets. Messages about a file never have its
 * content.
 */
export function withSecretsFromFiles(
  given: Values,
  secrets: readonly string[],
): { values: Values; errors: string[] } {
  const values = { ...given };
  const errors: string[] = [];
  for (const name of secrets) {
    const variable = `${name}_FILE`;
    const path = given[variable];
    if (path === undefined) continue;
    if (given[name] !== undefined) {
      errors.push(`${name} and ${variable} are both given: leave one of them out`);
      continue;
    }
    try {
      const text = textOf(path);
      if (text === '') errors.push(`${variable}: the file ${path} is empty`);
      else values[name] = text;
    } catch (error) {
      errors.push(`${variable}: the file ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  return { values, errors };
}
