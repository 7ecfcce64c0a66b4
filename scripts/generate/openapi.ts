// Run for a release: makes the OpenAPI document of the code the released one, packages/api/contract/openapi.released.json, which later changes are compared
// with: they may not break a client of it.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../../packages/api/src/openapi/document.ts';

/** How deep a member of the document has a line of its own: an operation, a schema. */
const DEPTH = 3;

/** JSON in which members down to a depth are a line each, so that a difference shows which operation or schema changed. */
function formatJson(value: unknown, depth: number, indent = ''): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const inner = `${indent}  `;
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${formatJson(member, depth - 1, inner)}`,
  );
  return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`;
}

const text = `${formatJson(openApiDocument({ baseUrl: '/' }), DEPTH)}\n`;
writeFileSync(new URL('../../packages/api/contract/openapi.released.json', import.meta.url), text);
