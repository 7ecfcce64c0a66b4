// Writes the OpenAPI document of the code to packages/api/contract/openapi.json; a test fails when it is stale.
// `node scripts/openapi.ts released` also makes it the document that later changes are compared with.
import { writeFileSync } from 'node:fs';
import process from 'node:process';
import { openApiDocument } from '../packages/api/src/openapi/document.ts';

const text = `${JSON.stringify(openApiDocument({ baseUrl: '/' }), null, 2)}\n`;
const names = process.argv.includes('released') ? ['openapi', 'openapi.released'] : ['openapi'];
for (const name of names) {
  writeFileSync(new URL(`../packages/api/contract/${name}.json`, import.meta.url), text);
}
