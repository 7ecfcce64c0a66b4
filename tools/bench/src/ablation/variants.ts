import { fileURLToPath } from 'node:url';
import type { Work } from '../operations.ts';
import { type DatabaseCut, databaseCuts } from './database-cuts.ts';

/** A piece of a source file, and what takes its place. The piece must occur exactly once, or the build fails. */
export interface Edit {
  /** From the root of the repository. */
  file: string;
  from: string;
  to: string;
}

/** Roster with one part taken out, or set differently. */
export interface Variant {
  name: string;
  /** What is taken out, in words of the report. */
  title: string;
  /** The works it makes a difference to. */
  works: readonly Work['name'][];
  edits?: readonly Edit[];
  env?: Record<string, string>;
  /** What is taken out of its own copy of the database. */
  database?: DatabaseCut;
}

const app = 'apps/server/src/app.ts';
const plugins = 'apps/server/src/plugins';
const concurrency = 'apps/server/src/overload/running-requests.ts';
const trpc = 'apps/server/node_modules/@trpc/server/src/unstable-core-do-not-import/middleware.ts';
const part = (name: string) => fileURLToPath(new URL(`parts/${name}.ts`, import.meta.url));

const reads = ['get', 'list', 'rpc-get', 'rpc-list'];
const writes = ['create', 'rpc-create'];
const all = [...reads, ...writes];
const byRest = all.filter((name) => !name.startsWith('rpc-'));

const without = (file: string, from: string): Edit => ({ file, from, to: '' });

const directRest: Edit = { file: app, from: "'./rest/routes.ts'", to: `'${part('direct-rest')}'` };
const directCalls: Edit[] = [
  {
    file: 'apps/server/src/procedures.ts',
    from: "import { callTRPCProcedure } from '@trpc/server';",
    to: `import { callDirectly } from '${part('direct-calls')}';`,
  },
  {
    file: 'apps/server/src/procedures.ts',
    from: 'return callTRPCProcedure({ router: appRouter, path, type, getRawInput, ctx: context, signal, batchIndex });',
    to: 'return callDirectly(path, input, context);',
  },
];
const bare: Edit[] = [
  {
    file: app,
    from: 'const { trustedProxies, corsOrigins, requestsMax, metrics, keys, publicUrl } = options;',
    to: 'const { trustedProxies, corsOrigins, requestsMax, metrics, keys, publicUrl } = options; serveBare(options);',
  },
  {
    file: app,
    from: "import { ConcurrencyLimit } from './overload/running-requests.ts';",
    to: `import { ConcurrencyLimit } from './overload/running-requests.ts'; import { serveBare } from '${part('bare')}';`,
  },
  {
    file: concurrency,
    from: "import { Readable } from 'node:stream';",
    to: `import { Readable } from 'node:stream'; import { answerBare } from '${part('bare')}';`,
  },
  {
    file: concurrency,
    from: 'return createServer(options, (request, response) => this.#enter(request, response, handle));',
    to: 'return createServer(options, answerBare);',
  },
];

/** The one that all are compared with. */
export const everything: Variant = { name: 'everything', title: 'everything on', works: all };

const inServer: Variant[] = [
  { name: 'control', title: 'nothing: the same once more', works: all },
  {
    name: 'log',
    title: 'the log line of the request',
    works: all,
    edits: [
      {
        file: `${plugins}/request-log.ts`,
        from: "log.infoJson(fieldsOf(target, stats, { request, reply }), 'request');",
        to: ';',
      },
    ],
  },
  {
    name: 'context',
    title: 'the request context (AsyncLocalStorage)',
    works: all,
    edits: [
      {
        file: `${plugins}/request-log.ts`,
        from: 'tracing?.requestBegan(request, stats, targetOf(request));\n    requestContext.run(stats, done);',
        to: 'done();',
      },
      {
        file: `${plugins}/request-log.ts`,
        from: 'if (stats === null || body === undefined) return done();\n    requestContext.run(stats, done);',
        to: 'done();',
      },
    ],
  },
  {
    name: 'observers',
    title: 'context, log line, and the hooks of metrics and tracing',
    works: all,
    edits: [
      {
        file: app,
        from: 'registerRequestLog(app, { metrics, tracing, log, sampler })',
        to: "app.decorateRequest('stats', null)",
      },
    ],
  },
  {
    name: 'request-id',
    title: 'the request id and the checks of the message',
    works: all,
    edits: [
      { file: app, from: 'registerLifecycle(app, stopping),', to: 'undefined,' },
      { file: app, from: 'genReqId: requestIdOf,', to: "genReqId: () => '0'," },
    ],
  },
  {
    name: 'rate',
    title: 'the rate limit',
    works: all,
    env: { ROSTER_RATE_LIMIT: '0' },
  },
  {
    name: 'limits',
    title: 'the concurrency limit, fair queue, connection limit and unread responses',
    works: all,
    edits: [
      {
        file: concurrency,
        from: 'return createServer(options, (request, response) => this.#enter(request, response, handle));',
        to: 'return createServer(options, handle);',
      },
      without(
        app,
        "{ name: 'slot', phases: ['onSend'], add: (app, _, { concurrency }) => concurrency.register(app) },",
      ),
      without(app, 'limitConnections(app, { connectionsMax, isBehindProxies });'),
      {
        file: `${plugins}/request-bodies.ts`,
        from: 'if (!this.#concurrency.admit(request.raw, release)) return settle(overloaded());',
        to: 'release();',
      },
    ],
  },
  {
    name: 'unread',
    title: 'of these the unread responses',
    works: all,
    edits: [
      {
        file: concurrency,
        from: 'this.#options.unread.add(request, reply, payload);',
        to: 'undefined;',
      },
    ],
  },
  {
    name: 'auth',
    title: 'authentication and the check of rights before the body',
    works: all,
    edits: [
      {
        file: `${plugins}/authentication.ts`,
        from: 'const { headers, raw } = request;',
        to: 'if (known !== undefined) { request.identity = known; return done(); }\nconst { headers, raw } = request;',
      },
      {
        file: `${plugins}/authentication.ts`,
        from: 'request.identity = { caller: cached };',
        to: 'known = { caller: cached }; request.identity = known;',
      },
      {
        file: `${plugins}/authentication.ts`,
        from: 'const lookUps = new KeyedCounter();',
        to: 'const lookUps = new KeyedCounter(); let known: Identity | undefined;',
      },
      {
        file: `${plugins}/authentication.ts`,
        from: 'return (request, _, done) => done(errorOf(() => limitFor(callerOf(request), right)));',
        to: 'return (_request, _, done) => done();',
      },
    ],
  },
  {
    name: 'compression',
    title: 'compression',
    works: all,
    edits: [without(app, "{ name: 'compression', phases: [], add: registerCompression },")],
  },
  {
    name: 'headers',
    title: 'security headers and Vary',
    works: all,
    edits: [
      without(app, "{ name: 'security headers', phases: ['onSend'], add: registerSecurityHeaders },"),
      without(app, "{ name: 'Vary', phases: ['onSend'], add: registerVary },"),
    ],
  },
  {
    name: 'discarded',
    title: 'the limit of discarded bodies',
    works: all,
    edits: [without(app, "{ name: 'rest of a body', phases: ['onSend'], add: registerDiscardedBodyLimit },")],
  },
  {
    name: 'disconnect',
    title: 'the check for clients that have left, and the share of connections of a key',
    works: all,
    edits: [
      {
        file: 'apps/server/src/context.ts',
        from: 'db: databaseFor(request),',
        to: 'db,',
      },
    ],
  },
  {
    name: 'etag',
    title: 'the ETag, and the version that is read for it',
    works: ['get', 'rpc-get'],
    edits: [without('packages/api/src/agents/definition.ts', 'isVersioned: true,')],
  },
  {
    name: 'output',
    title: 'the check of the output',
    works: all,
    edits: [{ file: trpc, from: 'const data = await parse(result.data);', to: 'const data = result.data;' }],
  },
  { name: 'rest', title: 'the REST adapter (trpc-to-openapi)', works: byRest, edits: [directRest] },
  {
    name: 'trpc',
    title: 'tRPC: its middlewares, authorization, the check of the output',
    works: all,
    edits: directCalls,
  },
  {
    name: 'rest-trpc',
    title: 'the REST adapter and tRPC',
    works: byRest,
    edits: [directRest, ...directCalls],
  },
  {
    name: 'bare-log',
    title: 'everything between the socket and the read but a log line',
    works: all,
    edits: bare,
    env: { ABLATION_LOG: 'true' },
  },
  { name: 'bare', title: 'everything between the socket and the read', works: all, edits: bare },
];

const inWrites: Variant[] = [
  {
    name: 'event',
    title: 'the event',
    works: writes,
    edits: [
      {
        file: 'packages/api/src/resources/write/mutations.ts',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: a piece of source.
        from: '), written as (${insertEvents({ table, verb, cause: causeParams(param) })})',
        to: ')',
      },
    ],
  },
  {
    name: 'sequencer',
    title: 'the sequencer: events get no positions',
    works: writes,
    edits: [
      {
        file: 'packages/api/src/event-log/sequencer.ts',
        from: 'const { wake, stop } = startPolling(assign, options);\n  return { wake, close: stop };',
        to: 'void assign; void options;\n  return { wake: () => undefined, close: async () => undefined };',
      },
    ],
  },
  ...databaseCuts.map((database) => ({
    name: database.name,
    title: database.title,
    works: writes,
    database,
  })),
  ...[1, 2, 3, 4, 6].map((count) => ({
    name: `connections-${count}`,
    title: `10 connections to PostgreSQL, three of which write at once: ${count} in all`,
    works: writes,
    env: { ROSTER_DATABASE_CONNECTIONS_MAX: String(count) },
  })),
];

/** All variants, in the order of the report. */
export const variants: Variant[] = [...inServer, ...inWrites];
