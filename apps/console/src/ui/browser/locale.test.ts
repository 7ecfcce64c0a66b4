import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

// The catalogues are files of the build, so this reads the path by which the page asks for them.
it('asks for catalogues at the path where they are', () => {
  const source = readFileSync(join(import.meta.dirname, 'locale.ts'), 'utf8');
  const [, path = ''] = /catalogues\[`([^`]+)`\]/.exec(source) ?? [];
  expect(source).toContain(`import.meta.glob<{ messages: Messages }>('${dirname(path)}/*.po')`);
  for (const tag of ['en', 'pt'])
    expect(existsSync(join(import.meta.dirname, path.replace('$' + '{tag}', tag)))).toBe(true);
});
