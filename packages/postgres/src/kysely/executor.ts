import {
  type AbortableQueryOptions,
  type CompiledQuery,
  type ConnectionProvider,
  DefaultQueryExecutor,
  type DialectAdapter,
  type KyselyPlugin,
  type QueryCompiler,
  type QueryResult,
} from 'kysely';
import type { PipelineCounts } from '../pipeline/pool.ts';
import type { GroupCommit } from '../pool/group-commit.ts';
import type { DedicatedCounts } from '../pool/pool.ts';
import { hintsOf, isReadOnly } from '../query-hints.ts';
import type { CallerOptions, OnStatement, ReadExecutor } from '../types.ts';

/** The state of the connections that one call of `connect` has opened. */
export type ConnectionCounts = DedicatedCounts &
  PipelineCounts & {
    /** Whether connections cannot be opened, so that callers that need one are rejected. */
    isCircuitOpen: boolean;
  };

/** The executor of the reads outside transactions, and their caller: they are cancelled if that disconnects. */
export interface ReadRouting {
  reads: ReadExecutor;
  caller?: CallerOptions;
}

interface Parts extends ReadRouting {
  compiler: QueryCompiler;
  adapter: DialectAdapter;
  dedicated: ConnectionProvider;
  groupCommit: GroupCommit;
  counts: () => ConnectionCounts;
  onStatement: OnStatement | undefined;
}

/**
 * Routes statements outside transactions: those that only read go to the pipelined connections. Everything else goes to a
 * dedicated connection, because a write may wait for a lock or the disk and nothing should wait behind it; so do
 * transactions, `db.connection()` and statements to be cancelled on the server when aborted. Writes whose hint allows it
 * take part in group commit.
 */
export class RoutingExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts;

  constructor(parts: Parts, plugins: KyselyPlugin[] = []) {
    super(parts.compiler, parts.adapter, parts.dedicated, plugins);
    this.#parts = parts;
  }

  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    const isCancelled = (options?.inflightQueryAbortStrategy ?? 'ignore query') !== 'ignore query';
    const isRead = isReadOnly(query);
    const isGrouped = !isRead && hintsOf(query).allowsGroupCommit === true && options?.signal === undefined;
    if (isCancelled || !(isRead || isGrouped)) return super.executeQuery<R>(query, options);
    const result = isRead ? this.#read<R>(query, options) : this.#parts.groupCommit.run<R>(query);
    const reported = this.#report(query, result);
    return this.plugins.length === 0 ? reported : this.#transform<R>(query, reported, options);
  }

  async #transform<R>(
    { queryId }: CompiledQuery,
    untransformed: Promise<QueryResult<R>>,
    { signal }: AbortableQueryOptions = {},
  ): Promise<QueryResult<R>> {
    let result: QueryResult<unknown> = await untransformed;
    for (const plugin of this.plugins) {
      result = await plugin.transformResult({
        queryId,
        result: result as QueryResult<Record<string, unknown>>,
        ...(signal && { signal }),
      });
    }
    return result as QueryResult<R>;
  }

  #read<R>(query: CompiledQuery, { signal }: AbortableQueryOptions = {}): Promise<QueryResult<R>> {
    const { reads, caller } = this.#parts;
    return reads.run<R>(query, { signal, ...caller });
  }

  /** Calls `onStatement` in the asynchronous context of the code that runs the statement. */
  #report<R>({ sql }: CompiledQuery, result: Promise<QueryResult<R>>): Promise<QueryResult<R>> {
    const { onStatement } = this.#parts;
    if (onStatement === undefined) return result;
    const startedMs = performance.now();
    return result.then(
      (value) => {
        onStatement({ sql, durationMs: performance.now() - startedMs });
        return value;
      },
      (error) => {
        onStatement({ sql, durationMs: performance.now() - startedMs, error });
        throw error;
      },
    );
  }

  counts(): ConnectionCounts {
    return this.#parts.counts();
  }

  get reads(): ReadExecutor {
    return this.#parts.reads;
  }

  withRouting(routing: Partial<ReadRouting>): RoutingExecutor {
    return new RoutingExecutor({ ...this.#parts, ...routing }, [...this.plugins]);
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
