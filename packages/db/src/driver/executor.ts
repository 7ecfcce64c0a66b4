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
import type { OnStatement } from './dialect.ts';
import type { ExclusiveCounts } from './exclusive-connections.ts';
import type { PipelineCounts, Reads } from './pipelines.ts';
import { isRead } from './reads.ts';

/** What the connections of one `connect` are doing. */
export type ConnectionCounts = ExclusiveCounts & PipelineCounts;

interface Parts {
  compiler: QueryCompiler;
  adapter: DialectAdapter;
  exclusive: ConnectionProvider;
  reads: Reads;
  counts: () => ConnectionCounts;
  onStatement: OnStatement | undefined;
  /** Whether whoever its statements are for has left. */
  hasLeft?: () => boolean;
}

/**
 * Where statements outside transactions part. What only reads goes through the pipelines. Everything else, and what
 * asks for a connection of its own (transactions, `db.connection()`, a statement to be cancelled on the server when
 * aborted), goes to an exclusive connection: a write may wait for a lock or for the disk, and nobody should wait
 * behind it.
 */
export class PartingExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts;

  constructor(parts: Parts, plugins: KyselyPlugin[] = []) {
    super(parts.compiler, parts.adapter, parts.exclusive, plugins);
    this.#parts = parts;
  }

  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    const isToCancel = (options?.inflightQueryAbortStrategy ?? 'ignore query') !== 'ignore query';
    if (isToCancel || !isRead(query)) return super.executeQuery<R>(query, options);
    const answer = this.#read<R>(query, options);
    return this.plugins.length === 0 ? answer : this.#transformed<R>(query, answer, options);
  }

  async #transformed<R>(
    { queryId }: CompiledQuery,
    answer: Promise<QueryResult<R>>,
    { signal }: AbortableQueryOptions = {},
  ): Promise<QueryResult<R>> {
    let result: QueryResult<unknown> = await answer;
    for (const plugin of this.plugins) {
      result = await plugin.transformResult({
        queryId,
        result: result as QueryResult<Record<string, unknown>>,
        ...(signal && { signal }),
      });
    }
    return result as QueryResult<R>;
  }

  #read<R>(
    { sql, parameters }: CompiledQuery,
    { signal }: AbortableQueryOptions = {},
  ): Promise<QueryResult<R>> {
    const { reads, onStatement, hasLeft } = this.#parts;
    const answer = reads.run<R>(sql, parameters, { signal, hasLeft });
    if (onStatement === undefined) return answer;
    const startedMs = performance.now();
    return answer.then(
      (result) => {
        onStatement({ sql, durationMs: performance.now() - startedMs });
        return result;
      },
      (error) => {
        onStatement({ sql, durationMs: performance.now() - startedMs, error });
        throw error;
      },
    );
  }

  /** What the connections are doing now. */
  counts(): ConnectionCounts {
    return this.#parts.counts();
  }

  /** The same for somebody who may leave: what they read is given up then, what they write is not. */
  whileThere(hasLeft: () => boolean): PartingExecutor {
    return new PartingExecutor({ ...this.#parts, hasLeft }, [...this.plugins]);
  }

  /** The same, but for where statements go that only read. */
  withReads(reads: Reads): PartingExecutor {
    return new PartingExecutor({ ...this.#parts, reads }, [...this.plugins]);
  }

  override withPlugins(plugins: readonly KyselyPlugin[]): PartingExecutor {
    return new PartingExecutor(this.#parts, [...this.plugins, ...plugins]);
  }

  override withPlugin(plugin: KyselyPlugin): PartingExecutor {
    return this.withPlugins([plugin]);
  }

  override withPluginAtFront(plugin: KyselyPlugin): PartingExecutor {
    return new PartingExecutor(this.#parts, [plugin, ...this.plugins]);
  }

  override withoutPlugins(): PartingExecutor {
    return new PartingExecutor(this.#parts);
  }
}
