import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startAt } from '../../apps/cli/test/support/terminal.ts';
import { inspectLocalPostgres } from '../../packages/db/src/local-postgres.ts';
import { freePort } from '../../packages/local-postgres/src/testing/proxy.ts';
import { blocksOf, root } from '../documents/markdown-files.ts';
import { executedPages } from '../documents/pages.ts';

/** Some sixty commands, on a machine that others may share. */
const START_AND_RUN_MS = 900_000;
/** What the pages save in the clone. */
const saved = ['tour.ts', 'all-agents.csv', 'active-agents.csv', 'porto.xlsx'];

/** A block of commands, with what the page shows as its output. */
interface Step {
  page: string;
  commands: string;
  /** Lines to be printed in this order, perhaps among others; `…` is any text, blanks are any blanks. */
  shown: string[];
}

async function stepsOf(page: string): Promise<Step[]> {
  const blocks = blocksOf(await readFile(join(root, page), 'utf8'));
  return blocks.flatMap(({ info, text }, at) => {
    if (info !== 'sh') return [];
    const next = blocks[at + 1];
    const shown = next?.info === 'text' ? next.text.split('\n').filter((line) => line.trim() !== '') : [];
    return [{ page, commands: text, shown }];
  });
}

/** What a line of shown output asks of the real one. */
function patternOf(line: string): RegExp {
  return new RegExp(sourceOf(line));
}

function sourceOf(line: string): string {
  const escaped = line.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return escaped.replaceAll(/\s+/g, '\\s+').replaceAll('…', '[^\\n]*');
}

/** The page whose steps show, or leave out with `…`, all that is printed. */
const WHOLE = 'README.md';

/** The lines of an output, without what npm turns while it starts a program (U+2800 to U+28FF). */
function linesOf(output: string): string[] {
  return output
    .split('\n')
    .map((line) => line.replaceAll(/[\u2800-\u28ff]/g, '').trim())
    .filter((line) => line !== '');
}

describe('the documents', () => {
  let service: ReturnType<typeof startService>;
  let dataDir: string;
  let port: number;
  let steps: Step[];
  let output: string[];
  let before: string[];

  /** A text of a page as it is for the service of this test. */
  const here = (text: string) =>
    text
      .replaceAll('http://127.0.0.1:3000', `http://127.0.0.1:${port}`)
      .replaceAll('.roster/', `${dataDir}/`);

  function startService(command: string) {
    const env = { ...process.env, PORT: String(port), ROSTER_DATA_DIR: dataDir, ROSTER_LOG_LEVEL: 'warn' };
    return spawn('bash', ['-c', command], { cwd: root, env, detached: true });
  }

  beforeAll(async () => {
    before = await readdir(root);
    dataDir = await mkdtemp(join(tmpdir(), 'roster-documents-'));
    // If root runs this, PostgreSQL runs as the user nobody, who needs access.
    await chmod(dataDir, 0o755);
    port = await freePort();
    const blocks = blocksOf(await readFile(join(root, 'README.md'), 'utf8'));
    service = startService(blocks.find(({ info }) => info === 'sh service')?.text ?? 'exit 1');
    await new Promise<void>((resolve, reject) => {
      service.stderr.on('data', (chunk) => String(chunk).includes('curl') && resolve());
      service.stdout.resume();
      service.once('exit', () => reject(new Error('the service ended before it was ready')));
    });
    await writeFile(join(root, 'tour.ts'), blocks.find(({ info }) => info === 'ts tour.ts')?.text ?? '');
    steps = (await Promise.all(executedPages.map(stepsOf))).flat();
    output = await outputOf(steps);
  }, START_AND_RUN_MS);

  afterAll(async () => {
    const ended = once(service, 'exit');
    // As a terminal does it: to npm, the shell and the server at once.
    if (service.pid !== undefined) process.kill(-service.pid, 'SIGINT');
    await ended;
    // npm ends a moment before the server, whose database stops last.
    const isStopped = async () => (await inspectLocalPostgres(dataDir)).running === undefined;
    await vi.waitUntil(isStopped, { timeout: 30_000 });
    await rm(dataDir, { recursive: true, force: true });
    for (const name of saved) await rm(join(root, name), { force: true });
  });

  /** What each of the steps prints, at a terminal. The run ends at the first command that fails. */
  async function outputOf(all: readonly Step[]): Promise<string[]> {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    // npm is started once; then this function calls what npm would.
    const quick = `roster() { ${scripts.roster} "$@"; }`;
    const commands = all.map(({ commands: text }, at) => {
      const printed = here(text).replace(/^roster\(\) .*$/m, quick);
      return at < 2 ? printed : printed.replaceAll('npm run -s roster --', 'roster');
    });
    const script = commands.map((text, at) => `printf '\\n@@%s@@\\n' ${at}\n${text}`).join('\n');
    const file = join(dataDir, 'documents.sh');
    await writeFile(file, `cd '${root}'\n${quick}\n${script}\nprintf '\\n@@end@@\\n'`);
    using terminal = startAt('bash', ['-eu', file], {
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      ROSTER_DATA_DIR: dataDir,
      ROSTER_URL: `http://127.0.0.1:${port}`,
      NO_COLOR: '1',
    });
    const status = await terminal.exit;
    const text = terminal.text().replaceAll('\r', '');
    expect(status, text.slice(-3_000)).toBe(0);
    return text.split(/^@@\w+@@$/m).slice(1);
  }

  it('save only files in the clone that git ignores', async () => {
    const added = (await readdir(root)).filter((name) => !before.includes(name));
    expect(added.filter((name) => !saved.includes(name))).toEqual([]);
    const ignored = await readFile(join(root, '.gitignore'), 'utf8');
    expect(saved.filter((name) => !ignored.includes(`/${name}\n`))).toEqual([]);
  });

  it('run as printed, and print what they show, in its order', () => {
    expect(output).toHaveLength(steps.length + 1);
    const missing = steps.flatMap(({ page, shown }, at) => {
      let rest = output[at] ?? '';
      return shown.flatMap((line) => {
        const found = patternOf(here(line)).exec(rest);
        if (found === null) return [`${page}: "${line}" is not printed, or before the lines shown above it`];
        rest = rest.slice(found.index + found[0].length);
        return [];
      });
    });
    expect(missing).toEqual([]);
  });

  it('of the tour print nothing but what the README shows, in its order; a line of … stands for further lines', () => {
    for (const [at, { page, shown }] of steps.entries()) {
      if (page !== WHOLE) continue;
      const whole = shown.map((line) => (line.trim() === '…' ? '(.+\\n)+' : `${sourceOf(here(line))}\\n`));
      const printed = linesOf(output[at] ?? '').map((line) => `${line}\n`);
      expect(printed.join(''), `step ${at + 2}`).toMatch(new RegExp(`^${whole.join('')}$`));
    }
  });

  it('meet no error but those they show', () => {
    const codes = output.join('\n').matchAll(/"code":"(\w+)","requestId"/g);
    expect(Array.from(codes, ([, code]) => code)).toEqual([
      'version_conflict',
      'validation_failed',
      'email_taken',
      'office_inactive',
      'insufficient_scope',
    ]);
  });

  it('save nothing in the clone that Git, and with it the linter, takes for a source', async () => {
    const ignored = (await readFile(join(root, '.gitignore'), 'utf8')).split('\n');
    expect(ignored).toEqual(expect.arrayContaining(saved.map((name) => `/${name}`)));
  });
});
