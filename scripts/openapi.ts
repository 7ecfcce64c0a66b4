// Makes the OpenAPI document of the code the released one, packages/api/contract/openapi.released.json, which later changes are compared
// with: they may not break a client of it.
import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../packages/api/src/openapi/document.ts';

const text = `${JSON.stringify(openApiDocument({ baseUrl: '/' }), null, 2)}\n`;
writeFileSync(new URL('../packages/api/contract/openapi.released.json', import.meta.url), text);
