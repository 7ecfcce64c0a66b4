import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Files and directories of tools and tests, and builds. What begins with a dot is of tools, or of tests that run at this moment. */
const isSkipped = (name: string) =>
  ['node_modules', 'dist', 'bundle', 'test'].includes(name) || /^\.|\.test(?:-d)?\.tsx?$/.test(name);
/** Holds the digest of the inputs, in the build. */
export const STAMP = '.inputs';

interface Build {
  /** The workspace. */
  root: string;
  /** The application in the workspace, such as `apps/console`. */
  app: string;
  /** The directory of the build in that of the application. */
  output: string;
  /** The files that the build is made of, and directories, of which tests are left out. */
  inputs: readonly string[];
  /** Makes the build in a directory; throws if it fails. */
  build: (directory: string) => void;
}

/** Whether a directory has the build of the current inputs. */
export function isBuilt({ root, inputs }: Pick<Build, 'root' | 'inputs'>, directory: string): boolean {
  return hasStamp(directory, digestOf(root, inputs));
}

function hasStamp(directory: string, digest: string): boolean {
  const stamp = join(directory, STAMP);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;
}

/**
 * Builds an application, unless there is a build of the same inputs. Another process sees the whole old build or the whole new one,
 * and so does who interrupts it.
 *
 * @returns the directory of the build, and whether it had to be made
 */
export function buildOnce({ root, app, output, inputs, build }: Build): {
  directory: string;
  isNew: boolean;
} {
  const directory = join(root, app, output);
  const digest = digestOf(root, inputs);
  if (hasStamp(directory, digest)) return { directory, isNew: false };
  const fresh = mkdtempSync(join(root, app, 'node_modules/.build-'));
  try {
    // A server may run as another user than the one who builds.
    chmodSync(fresh, 0o755);
    build(fresh);
    writeFileSync(join(fresh, STAMP), digest);
    rmSync(directory, { recursive: true, force: true });
    renameSync(fresh, directory);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process has put the same build there first.
    if (!hasStamp(directory, digest)) throw error;
  }
  return { directory, isNew: true };
}

/** The digest of the names and contents of the inputs. */
function digestOf(root: string, inputs: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap((input) => filesOf(root, input)).sort())
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  return hash.digest('hex');
}

/** The files of an input; none if it is missing. */
function filesOf(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  if (statSync(join(root, path)).isFile()) return [path];
  const names = readdirSync(join(root, path)).filter((name) => !isSkipped(name));
  return names.flatMap((name) => filesOf(root, `${path}/${name}`));
}
