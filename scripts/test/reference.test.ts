import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operations } from '../../packages/api/src/index.ts';
import { openApiDocument } from '../../packages/api/src/openapi/document.ts';
import { referencePages } from '../generate/reference.ts';
import { operationsPage } from '../reference/operations.ts';

const folder = join(import.meta.dirname, '../../docs/reference');
const pages = Object.entries(referencePages());

describe('the reference', () => {
  it.each(pages)('%s is what the code says (`npm run generate` writes it)', async (name, text) => {
    expect(await readFile(join(folder, name), 'utf8')).toBe(text);
  });

  it('has every operation and every schema on the page of the operations, which is made for a release', () => {
    const lines = operationsPage();
    for (const { procedure, path } of operations) {
      expect(lines).toContain(procedure);
      expect(lines).toContain(path);
    }
    const { components } = openApiDocument({ baseUrl: '/' }) as { components: { schemas: object } };
    for (const name of Object.keys(components.schemas)) expect(lines).toContain(`\n### ${name}\n`);
  });

  it('has a link to each setting of a limit, and the number that holds', () => {
    const limits = referencePages()['limits.md'];
    expect(limits).toContain('| records in one call of an import | 500 |');
    expect(limits).toContain('600 (`ROSTER_RATE_LIMIT`)');
    expect(limits).not.toMatch(/undefined|NaN/);
  });
});
