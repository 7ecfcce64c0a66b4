import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startAt } from '../../apps/cli/test/support/terminal.ts';
import { freePort } from '../../packages/local-postgres/src/testing/proxy.ts';
import { root } from '../documents/markdown-files.ts';
import { buildServer } from '../packaging/server.ts';

const LINES_MAX = 15;

it('npm start fills at most 15 lines of a terminal, which are all of Roster, and requests add none', async () => {
  // The terminal is given seconds, which a build on a busy machine does not keep to.
  buildServer();
  const dataDir = await mkdtemp(join(tmpdir(), 'roster-first-screen-'));
  try {
    // If root runs this, PostgreSQL runs as the user nobody, who needs access.
    await chmod(dataDir, 0o755);
    const port = String(await freePort());
    using terminal = startAt('npm', ['--prefix', root, 'start'], { PORT: port, ROSTER_DATA_DIR: dataDir });
    const url = `http://127.0.0.1:${port}`;
    await expect
      .poll(
        () =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 120_000 },
      )
      .toBe(200);
    await terminal.sees("-d '{");
    expect((await fetch(`${url}/offices`)).status).toBe(401);
    const key = (await readFile(join(dataDir, 'key'), 'utf8')).trim();
    expect((await fetch(`${url}/offices`, { headers: { Authorization: `Bearer ${key}` } })).status).toBe(200);
    const screen = screenOf(terminal.output());
    expect(screen.length, screen.join('\n')).toBeLessThanOrEqual(LINES_MAX);
    expect(screen).toContain('  The first person signs in here, once, within ten minutes:');
    expect(screen.join('\n')).toMatch(/^ {2}Roster listens at {3}http/m);
    expect(screen.at(-1)).toContain("-d '{");
    terminal.type('\u0003');
    expect(await terminal.exit).toBe(0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

/** The lines of a terminal after it was cleared for the last time, from the top or from a line on, without texts that others have replaced. */
function screenOf(output: string): string[] {
  const [screen = ''] = output.split('\x1b[J').slice(-1);
  const lines = screen.trimEnd().split('\n');
  return lines.map((line) => line.replaceAll('\r', '').split('\x1b[K').at(-1) ?? '');
}
