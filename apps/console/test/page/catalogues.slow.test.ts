import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const home = join(import.meta.dirname, '../..');

it('the catalogues have every message of the page (`npm run messages`)', () => {
  const copy = mkdtempSync(join(home, '.messages-'));
  try {
    for (const name of ['src', 'lingui.config.ts', 'package.json'])
      cpSync(join(home, name), join(copy, name), { recursive: true });
    symlinkSync(join(home, 'node_modules'), join(copy, 'node_modules'));
    execFileSync(join(home, 'node_modules/.bin/lingui'), ['extract', '--clean'], {
      cwd: copy,
      stdio: 'pipe',
    });
    for (const path of globSync('src/locales/**/*.po', { cwd: copy }))
      expect(readFileSync(join(home, path), 'utf8'), path).toBe(readFileSync(join(copy, path), 'utf8'));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
