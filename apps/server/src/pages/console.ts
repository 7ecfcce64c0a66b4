import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { RosterError } from '@roster/api';
import type { FastifyInstance } from 'fastify';
import { CachedDocument, type Coding } from '../http/cached-document.ts';
import { consolePolicyOf } from '../http/hooks/browser-headers.ts';

/** Beside the bundle of the server, or in the repository. */
export const builtConsole = join(
  import.meta.dirname,
  import.meta.filename.endsWith('.ts') ? '../../../console/dist' : 'console',
);

const PAGE = 'index.html';
const ASSETS = 'assets/';

/** Whether there is a page: the console, or the one that `npm start` shows while it prepares the console. */
export function hasConsolePage(directory: string): boolean {
  return existsSync(join(directory, PAGE));
}

export function isConsoleBuilt(directory: string): boolean {
  return existsSync(join(directory, ASSETS));
}

/** Other files, such as compressed ones, are not served. */
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** No directory has a dot in its name, and no name begins with one. */
const safePath = /^(?:[\w-]+\/)*[\w-][\w.-]*$/;

const extensions: [Coding, string][] = [
  ['br', '.br'],
  ['gzip', '.gz'],
];

async function readContent(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** As the build has compressed it; undefined if there is no such file. */
async function readDocument(path: string, type: string): Promise<CachedDocument | undefined> {
  const content = await readContent(path);
  if (content === undefined) return undefined;
  const compressed = new Map<Coding, Buffer>();
  for (const [coding, extension] of extensions) {
    const body = await readContent(`${path}${extension}`);
    if (body !== undefined) compressed.set(coding, body);
  }
  return new CachedDocument(content, type, compressed);
}

/** Reads each file at its first request, and keeps it until the build is replaced. */
class ConsoleFiles {
  readonly #directory: string;
  readonly #files = new Map<string, Promise<CachedDocument | undefined>>();
  #writtenMs = 0;
  #policy = '';

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The page, and the content security policy that allows its own styles. */
  async page(): Promise<{ page: CachedDocument; policy: string }> {
    const { mtimeMs = 0 } = await stat(join(this.#directory, PAGE)).catch(() => ({ mtimeMs: undefined }));
    if (mtimeMs !== this.#writtenMs) {
      this.#policy = consolePolicyOf(String(await readContent(join(this.#directory, PAGE))));
      this.#files.clear();
      this.#writtenMs = mtimeMs;
    }
    const page = await this.file(PAGE);
    if (page !== undefined) return { page, policy: this.#policy };
    throw new RosterError('no_such_route', 'The console is not built: run `npm run build:console`.');
  }

  async file(path: string): Promise<CachedDocument | undefined> {
    const type = types[extname(path)];
    if (type === undefined || !safePath.test(path)) return undefined;
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    const reading = readDocument(join(this.#directory, path), type);
    this.#files.set(path, reading);
    // A missing file may come with the next build, and clients can ask for any number of names.
    const file = await reading.catch((error: unknown) => {
      this.#files.delete(path);
      throw error;
    });
    if (file === undefined) this.#files.delete(path);
    return file;
  }
}

const immutable = 'public, max-age=31536000, immutable';

const isView = (path: string) => !path.startsWith(ASSETS) && !/\.[^/]*$/.test(path);

/**
 * The console holds no data. Requests for it are not rate-limited: browsers do not retry a script, and an organisation shares an
 * address.
 */
export function registerConsole(app: FastifyInstance, directory: string): void {
  const files = new ConsoleFiles(directory);
  const options = { compress: false } as const;
  app.get('/console', (_, reply) => reply.header('Cache-Control', 'no-cache').redirect('/console/', 301));
  app.get<{ Params: { '*': string } }>('/console/*', options, async (request, reply) => {
    const { '*': path } = request.params;
    if (isView(path)) {
      const { page, policy } = await files.page();
      return page.send(request, reply.header('Content-Security-Policy', policy), 'no-cache');
    }
    const file = path === PAGE ? undefined : await files.file(path);
    if (file === undefined) throw new RosterError('no_such_route', `The console has no file ${path}.`);
    return file.send(request, reply, path.startsWith(ASSETS) ? immutable : 'no-cache');
  });
}
