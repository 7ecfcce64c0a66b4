// Writes the generated files of the contract. `npm run generate` and scripts/install.mjs run it if they are missing or stale.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { countries, phoneCountries } from '@roster/api';
import { clientCheck } from './client-check.ts';
import { clientTypes, repeatableProcedures } from './client-types.ts';
import { contracts } from './contract.ts';
import { regions } from './regions.ts';

const root = join(import.meta.dirname, '../../..');
const folder = 'packages/contract/generated';

/** Leaves descriptions out, and the patterns that only the service checks. */
const withoutDescription = (key: string, value: unknown) =>
  key === 'description' || key === 'pattern' ? undefined : value;

const within = (parent: string, files: Record<string, string>) =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${parent}/${name}`, text]));

/** The texts of all generated files, by their paths from the root of the workspace. */
export function generatedFiles(): Record<string, string> {
  const { operations, records } = contracts();
  const places = { countries: [...countries], phoneCountries: [...phoneCountries] };
  return {
    [`${folder}/contract.json`]: `${JSON.stringify({ operations, records })}\n`,
    // What a page needs before it shows anything.
    [`${folder}/fields.json`]: `${JSON.stringify({ records, ...places }, withoutDescription)}\n`,
    [`${folder}/regions.json`]: `${JSON.stringify(regions())}\n`,
    'packages/client/src/contract.d.ts': clientTypes(),
    'packages/client/src/repeatable.ts': repeatableProcedures(),
    ...within('packages/client/src/check', clientCheck({ operations, records })),
  };
}

/** Writes a file whose text has changed, so that every reader sees the whole old text or the whole new one. */
function write(path: string, text: string): void {
  const file = join(root, path);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const fresh = join(root, folder, `.${process.pid}`);
  writeFileSync(fresh, text);
  renameSync(fresh, file);
}

if (import.meta.main) {
  mkdirSync(join(root, folder), { recursive: true });
  const files = generatedFiles();
  for (const [path, text] of Object.entries(files)) write(path, text);
  // For scripts/packaging/contract.mjs, which generates again if one of them is missing or changed.
  write(`${folder}/.outputs`, Object.keys(files).join('\n'));
}
