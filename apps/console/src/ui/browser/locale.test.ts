import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

// The catalogues are files of the build, so this reads the path by which the page asks for them.
it('asks for catalogues at the path where they are', () => {
  const source = readFileSync(join(import.meta.dirname, 'locale.ts'), 'utf8');
  const [, path = ''] = /catalogues\[`([^`]+)`\]/.exec(source) ?? [];
  expect(source).toContain("import.meta.glob<{ messages: Messages }>('../../locales/**/*.po')");
  for (const part of ['first/', ''])
    for (const language of ['en', 'pt']) {
      const file = path.replace('$' + '{part}', part).replace('$' + '{language}', language);
      expect(existsSync(join(import.meta.dirname, file)), file).toBe(true);
    }
});
