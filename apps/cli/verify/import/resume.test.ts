import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { keys, startAt } from '../../test/support/terminal.ts';
import { useTestService } from '../../test/support/test-service.ts';

const { url, key, client, at } = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;
const ROWS = 4_000;

/** A proxy in front of the service, which reports every call that writes before it forwards it. */
async function inFront(onWrite: (count: number) => void | Promise<void>): Promise<Server> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url?.includes('imports.') && !body.includes('"dryRun":true')) {
      count += 1;
      await onWrite(count);
    }
    const headers = Object.entries(request.headers).filter(
      ([name]) => !/^(host|connection|content-length)$/.test(name),
    );
    const answer = await fetch(`${url()}${request.url}`, {
      method: request.method ?? 'GET',
      headers: headers as [string, string][],
      ...(body !== '' && { body }),
    });
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

const portOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** A file of agents, and a directory for the journal of its import. */
function staged(name: string) {
  const directory = mkdtempSync(join(tmpdir(), 'roster-resume-'));
  const file = join(directory, 'agents.csv');
  const rows = Array.from({ length: ROWS }, (_, index) => `${name},${index},Ana,No ${index}`);
  writeFileSync(file, `source.name,source.key,firstName,lastName\n${rows.join('\n')}\n`);
  const state = join(directory, 'state');
  return { file, state, env: { XDG_STATE_HOME: state, PATH: process.env.PATH } };
}

async function totalOf(name: string): Promise<number | undefined> {
  const page = await client().agents.list.query({ sourceName: [name], limit: 1, includeTotal: true });
  return page.total;
}

function importing(file: string, env: object, service: string, ...options: string[]): ChildProcess {
  const argv = [main, 'agents', 'import', file, '--json', ...options];
  return spawn(process.execPath, argv, { env: { ...env, ROSTER_URL: service, ROSTER_KEY: key() } });
}

describe('an import that is interrupted', () => {
  it('by kill -9 continues where it stopped, and creates every record once', async () => {
    const { file, state, env } = staged('Killed');
    let child: ChildProcess | undefined;
    await using server = await inFront((count) => void (count === 5 && child?.kill('SIGKILL')));
    child = importing(file, env, portOf(server));
    const [, signal] = await once(child, 'exit');
    expect(signal).toBe('SIGKILL');
    const before = await totalOf('Killed');
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(ROWS);
    expect(readdirSync(join(state, 'roster', 'imports'))).toContainEqual(expect.stringMatching(/\.sqlite$/));

    let calls = 0;
    await using counting = await inFront(() => {
      calls += 1;
    });
    // The journal is found by the URL, so the resumed import needs the same one.
    const { exit } = await at('pipe', ['agents', 'import', file, '--resume'], {
      env: { XDG_STATE_HOME: state, ROSTER_URL: portOf(counting) },
    });
    expect([exit, calls]).toEqual([2, 0]);

    const resumed = importing(file, env, portOf(server), '--resume');
    const [[code], stdout] = await Promise.all([once(resumed, 'exit'), text(resumed.stdout as never)]);
    expect(code).toBe(0);
    // A batch that was written but not recorded gets the same response as the first time.
    expect(JSON.parse(stdout)).toMatchObject({
      rows: ROWS,
      created: ROWS,
      updated: 0,
      unchanged: 0,
      rejected: 0,
    });
    expect(await totalOf('Killed')).toBe(ROWS);
    expect(readdirSync(join(state, 'roster', 'imports'))).toEqual([]);
  });

  it('does not resume with another file, and starts again without --resume, with a note', async () => {
    const { file, env } = staged('Restarted');
    let child: ChildProcess | undefined;
    await using server = await inFront((count) => void (count === 2 && child?.kill('SIGKILL')));
    child = importing(file, env, portOf(server));
    await once(child, 'exit');
    const other = importing(file, env, portOf(server), '--resume', '--ignore', 'lastName');
    expect(await text(other.stderr as never)).toContain('it was started with other options');
    writeFileSync(file, 'source.name,source.key,firstName,lastName\nRestarted,1,Ana,Changed\n');
    const changed = importing(file, env, portOf(server), '--resume');
    expect(await text(changed.stderr as never)).toContain('it has changed since it was interrupted');
    const restarted = importing(file, env, portOf(server));
    expect(await text(restarted.stderr as never)).toContain(
      'A previous import of this file was interrupted. Starting again;',
    );
  });

  it('shows its progress on a terminal, and after Ctrl-C how to continue', async () => {
    const { file, env } = staged('WatchOptions');
    let typed = () => undefined as unknown;
    await using server = await inFront(async (count) => {
      // The bar is drawn at most ten times a second.
      await new Promise((resolve) => setTimeout(resolve, 150));
      if (count === 5) typed();
    });
    using terminal = startAt(process.execPath, [main, 'agents', 'import', file], {
      ...(env as { XDG_STATE_HOME: string }),
      ROSTER_URL: portOf(server),
      ROSTER_KEY: key(),
    });
    typed = () => terminal.type(keys.ctrlC);
    await terminal.sees(/Reading +[━─]+ {2}100 % {2}4,000 rows/);
    await terminal.sees(/Checking +[━─]+ {2}100 % {2}4,000 rows/);
    await terminal.sees(/Importing {2}[━─]+ {2}\d+ % {2}[\d,]+ rows {2}[\d,]+\/s {2}\d+ s left/);
    await terminal.sees('Continue with: roster agents import');
    expect(await terminal.exit).toBe(130);
    using resumed = startAt(process.execPath, [main, 'agents', 'import', file, '--resume'], {
      ...(env as { XDG_STATE_HOME: string }),
      ROSTER_URL: portOf(server),
      ROSTER_KEY: key(),
    });
    expect(await resumed.exit).toBe(0);
    expect(await totalOf('WatchOptions')).toBe(ROWS);
  });

  it('cannot be resumed by a second process while the first one runs', async () => {
    const { file, env } = staged('Twice');
    let error = '';
    await using server = await inFront(async (count) => {
      if (count !== 1) return;
      const second = importing(file, env, portOf(server));
      error = await text(second.stderr as never);
    });
    const first = importing(file, env, portOf(server));
    expect(await once(first, 'exit')).toEqual([0, null]);
    expect(error).toContain('another process is importing this file');
  });
});
