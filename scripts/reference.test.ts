import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { referencePages } from './reference.ts';

const folder = join(dirname(import.meta.dirname), 'docs/reference');
const pages = Object.entries(referencePages());

describe('the reference', () => {
  it.each(pages)('%s is what the code says (`npm run generate` writes it)', async (name, text) => {
    expect(await readFile(join(folder, name), 'utf8')).toBe(text);
  });

  it('has a link to each setting of a limit, and the number that holds', () => {
    const limits = referencePages()['limits.md'];
    expect(limits).toContain('| records in one call of an import | 500 |');
    expect(limits).toContain('600 (`ROSTER_RATE_LIMIT`)');
    expect(limits).not.toMatch(/undefined|NaN/);
  });
});
