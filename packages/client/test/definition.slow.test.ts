import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const home = join(import.meta.dirname, '..');
/** A file that no disk has, beside the sources of the client. */
const uri = pathToFileURL(join(home, 'src/editor.ts')).href;
const calls = [
  'roster.offices.list',
  'roster.agents.transfer',
  'roster.webhooks.create',
  'roster.stats.get',
  'roster.events.stream',
];
const text = `import type { RosterClient } from './index.ts';\ndeclare const roster: RosterClient;\n${calls.join(';\n')};\n`;

/** The language server of the compiler, as an editor talks to it. */
class Editor {
  readonly #server = spawn('tsc', ['--lsp', '--stdio'], { cwd: home, stdio: ['pipe', 'pipe', 'ignore'] });
  readonly #answers = new Map<number, (result: unknown) => void>();
  #sent = 0;
  #received: Buffer = Buffer.alloc(0);

  constructor() {
    this.#server.stdout.on('data', (part: Buffer) => {
      this.#received = Buffer.concat([this.#received, part]);
      this.#readAll();
    });
  }

  #readAll(): void {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/.exec(this.#received.toString('latin1', 0, end))?.[1]);
      const start = end + 4;
      if (this.#received.length < start + length) return;
      this.#read(JSON.parse(this.#received.toString('utf8', start, start + length)));
      this.#received = this.#received.subarray(start + length);
    }
  }

  #read({
    id,
    method,
    params,
    result,
  }: {
    id?: number;
    method?: string;
    params?: { items?: unknown[] };
    result?: unknown;
  }) {
    if (id === undefined) return;
    if (method === undefined) this.#answers.get(id)?.(result);
    // What the server asks, such as its settings, has no answer.
    else this.#send({ id, result: params?.items?.map(() => null) ?? null });
  }

  #send(message: object): void {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  notify(method: string, params: object): void {
    this.#send({ method, params });
  }

  request(method: string, params: object): Promise<unknown> {
    this.#sent += 1;
    const id = this.#sent;
    const answer = new Promise((resolve) => this.#answers.set(id, resolve));
    this.#send({ id, method, params });
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.#server, 'exit');
    this.#server.kill();
    await exited;
  }
}

let editor: Editor;
beforeAll(async () => {
  editor = new Editor();
  const rootUri = pathToFileURL(home).href;
  await editor.request('initialize', { processId: process.pid, rootUri, capabilities: {} });
  editor.notify('initialized', {});
  const textDocument = { uri, languageId: 'typescript', version: 1, text };
  editor.notify('textDocument/didOpen', { textDocument });
});
afterAll(() => editor[Symbol.asyncDispose]());

/** The line of a source that the definition of what is at a place leads to, with its path from the root of the workspace. */
async function definitionAt(position: { line: number; character: number }): Promise<string> {
  const found = await editor.request('textDocument/definition', { textDocument: { uri }, position });
  const [{ uri: target, range }] = found as [{ uri: string; range: { start: { line: number } } }];
  const lines = (await readFile(fileURLToPath(target), 'utf8')).split('\n');
  const path = fileURLToPath(target).slice(join(home, '../..').length + 1);
  return `${path}: ${lines[range.start.line]?.trim()}`;
}

it.each([
  ['roster.offices.list', 'records/read-procedures.ts: list: '],
  ['roster.agents.transfer', 'records/agents.ts: transfer: '],
  ['roster.webhooks.create', 'webhooks.ts: create: '],
  ['roster.stats.get', 'stats.ts: get: '],
  ['roster.events.stream', 'events.ts: stream: '],
])('an editor goes from %s to the procedure of the service, in %s', async (call, expected) => {
  const line = 2 + calls.indexOf(call);
  const found = await definitionAt({ line, character: call.length - 1 });
  expect(found.slice(0, `packages/api/src/routers/${expected}`.length)).toBe(
    `packages/api/src/routers/${expected}`,
  );
});

it('an editor goes from a type of the client to its declaration', async () => {
  expect(await definitionAt({ line: 1, character: 'declare const roster: R'.length })).toBe(
    'packages/client/src/client.ts: export type RosterClient = TRPCClient<AppRouter> & PagedResources & { events: EventsClient };',
  );
});
