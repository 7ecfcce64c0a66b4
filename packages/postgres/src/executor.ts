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
import type { OnStatement } from './create-kysely.ts';
import type { PipelineCounts, Reads, RunOptions } from './pipeline/pool.ts';
import type { SharedCommits } from './pool/group-commit.ts';
import type { ExclusiveCounts } from './pool/pool.ts';
import { isRead, sharesCommit } from './query-hints.ts';

/** What the connections of one `connect` are doing. */
export type ConnectionCounts = ExclusiveCounts & PipelineCounts;

/** For whom statements are: whether they have left, and who they are. */
export type Asker = Pick<RunOptions, 'hasLeft' | 'caller'>;

interface Parts {
  compiler: QueryCompiler;
  adapter: DialectAdapter;
  exclusive: ConnectionProvider;
  commits: SharedCommits;
  reads: Reads;
  counts: () => ConnectionCounts;
  onStatement: OnStatement | undefined;
  /** For whom its statements are. */
  asker?: Asker;
}

/**
 * Where statements outside transactions part. What only reads goes through the pipelines. Everything else, and what
 * asks for a connection of its own (transactions, `db.connection()`, a statement to be cancelled on the server when
 * aborted), goes to an exclusive connection: a write may wait for a lock or for the disk, and nobody should wait
 * behind it; but those that were declared to may share a commit.
 */
export class PartingExecutor extends DefaultQueryExecutor {
  readonly #parts: Parts;

  constructor(parts: Parts, plugins: KyselyPlugin[] = []) {
    super(parts.compiler, parts.adapter, parts.exclusive, plugins);
    this.#parts = parts;
  }

  override executeQuery<R>(query: CompiledQuery, options?: AbortableQueryOptions): Promise<QueryResult<R>> {
    const isToCancel = (options?.inflightQueryAbortStrategy ?? 'ignore query') !== 'ignore query';
    const isAlone = isToCancel || (!isRead(query) && (!sharesCommit(query) || options?.signal !== undefined));
    if (isAlone) return super.executeQuery<R>(query, options);
    const answer = isRead(query) ? this.#read<R>(query, options) : this.#parts.commits.run<R>(query);
    const told = this.#told(query, answer);
    return this.plugins.length === 0 ? told : this.#transformed<R>(query, told, options);
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

  #read<R>(query: CompiledQuery, { signal }: AbortableQueryOptions = {}): Promise<QueryResult<R>> {
    const { reads, asker } = this.#parts;
    return reads.run<R>(query, { signal, hasLeft: asker?.hasLeft, caller: asker?.caller });
  }

  /** Tells of a statement in the asynchronous context of whoever asked for it. */
  #told<R>({ sql }: CompiledQuery, answer: Promise<QueryResult<R>>): Promise<QueryResult<R>> {
    const { onStatement } = this.#parts;
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
  whileThere(asker: Asker): PartingExecutor {
    return new PartingExecutor({ ...this.#parts, asker }, [...this.plugins]);
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
