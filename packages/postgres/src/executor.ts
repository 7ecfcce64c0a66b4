import {
  type AbortableQueryOptions,
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type DialectAdapter,
  type KyselyPlugin,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import type { CallerLimit } from './caller-limit.ts';
import { isReadOnly, knownOf } from './compiled-query.ts';
import { ClientDisconnectedError, ConnectionLostError } from './errors.ts';
import type { Pipeline } from './pipeline.ts';
import type { PooledConnection, PooledDriver } from './pool.ts';
import { runWithFreshPlan } from './run-query.ts';
import type { OnStatement } from './statement.ts';

/** The client on whose behalf reads run. */
export interface Caller {
  /** Polled while a read waits or runs, so never for one that is faster than 25 ms. */
  isDisconnected: () => boolean;
  /** Identifies the client: its reads hold at most half of the connections of the pool. */
  id: string | undefined;
}

interface Parts {
  compiler: QueryCompiler;
  adapter: DialectAdapter;
  driver: PooledDriver;
  pipeline: Pipeline;
  callerLimit: CallerLimit;
  onStatement: OnStatement | undefined;
  caller?: Caller;
}

const POLL_MS = 25;

/**
 * Routes statements outside transactions: short reads share the pipelined connections; everything else gets a connection of the
 * pool for itself, because nothing should wait behind a statement that may take long, wait for a lock or for the disk.
 */
export class RoutingExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts;

  constructor(parts: Parts, plugins: KyselyPlugin[] = []) {
    super(parts.compiler, parts.adapter, new DefaultConnectionProvider(parts.driver), plugins);
    this.#parts = parts;
  }

  override async executeQuery<Row>(
    query: CompiledQuery,
    options: AbortableQueryOptions = {},
  ): Promise<QueryResult<Row>> {
    const running = this.#run<Row>(query);
    let result = await (options.signal === undefined ? running : abortable(running, options.signal));
    const { queryId } = query;
    for (const plugin of this.plugins)
      result = (await plugin.transformResult({
        queryId,
        result: result as QueryResult<Record<string, unknown>>,
      })) as QueryResult<Row>;
    return result;
  }

  async #run<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (!isReadOnly(query))
      return runWithFreshPlan(query, (isPrepared) => this.#onConnection<Row>(query, isPrepared));
    const run = (isPrepared: boolean) =>
      knownOf(query)?.isShort ? this.#short<Row>(query, isPrepared) : this.#long<Row>(query, isPrepared);
    try {
      return await runWithFreshPlan(query, run);
    } catch (error) {
      // A read may run twice.
      if (!(error instanceof ConnectionLostError) || this.#parts.caller?.isDisconnected()) throw error;
      return run(true);
    }
  }

  async #short<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { pipeline, onStatement } = this.#parts;
    if (onStatement === undefined) return pipeline.run<Row>(query, isPrepared);
    const startedMs = performance.now();
    try {
      const result = await pipeline.run<Row>(query, isPrepared);
      onStatement({ sql: query.sql, durationMs: performance.now() - startedMs });
      return result;
    } catch (error) {
      onStatement({ sql: query.sql, durationMs: performance.now() - startedMs, error: error as Error });
      throw error;
    }
  }

  #long<Row>(query: CompiledQuery, isPrepared: boolean): Promise<QueryResult<Row>> {
    const { caller, callerLimit } = this.#parts;
    const run = () => this.#onConnection<Row>(query, isPrepared, caller?.isDisconnected);
    return caller?.id === undefined ? run() : callerLimit.run(caller.id, run);
  }

  async #onConnection<Row>(
    query: CompiledQuery,
    isPrepared: boolean,
    isDisconnected?: () => boolean,
  ): Promise<QueryResult<Row>> {
    const { driver } = this.#parts;
    if (isDisconnected?.()) throw new ClientDisconnectedError();
    const connection = await driver.acquireConnection();
    const poll = isDisconnected && setInterval(abandonIf, POLL_MS, connection, isDisconnected);
    try {
      return await connection.run<Row>(query, isPrepared);
    } finally {
      clearInterval(poll);
      await driver.releaseConnection(connection);
    }
  }

  counts() {
    const { driver, pipeline } = this.#parts;
    return { ...driver.counts(), ...pipeline.counts() };
  }

  forCaller(caller: Caller): RoutingExecutor {
    return new RoutingExecutor({ ...this.#parts, caller }, [...this.plugins]);
  }

  override withPlugins(plugins: readonly KyselyPlugin[]): RoutingExecutor {
    return new RoutingExecutor(this.#parts, [...this.plugins, ...plugins]);
  }

  override withPlugin(plugin: KyselyPlugin): RoutingExecutor {
    return this.withPlugins([plugin]);
  }

  override withPluginAtFront(plugin: KyselyPlugin): RoutingExecutor {
    return new RoutingExecutor(this.#parts, [plugin, ...this.plugins]);
  }

  override withoutPlugins(): RoutingExecutor {
    return new RoutingExecutor(this.#parts);
  }
}

/** The same promise, but rejected with the reason of the signal when that is aborted. What comes later is dropped. */
function abortable<Result>(running: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    running.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function abandonIf(connection: PooledConnection, isDisconnected: () => boolean): void {
  if (isDisconnected()) connection.abandon(new ClientDisconnectedError());
}
