import {
  type AbortableOperationOptions,
  CompiledQuery,
  type DatabaseConnection,
  PostgresDriver,
} from 'kysely';
import type { CircuitBreaker } from '../circuit-breaker.ts';
import { ConnectionLostError } from '../errors.ts';
import type { PipelinePool } from '../pipeline/pool.ts';
import { DedicatedConnection } from '../pool/connection.ts';
import type { GroupCommit } from '../pool/group-commit.ts';
import type { DedicatedPool } from '../pool/pool.ts';

interface Parts {
  groupCommit: GroupCommit;
  pool: DedicatedPool;
  pipelines: PipelinePool;
  breaker: CircuitBreaker;
}

/** Kysely's driver on dedicated connections, from a pool of our own. */
export class DedicatedDriver extends PostgresDriver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super({ pool: () => Promise.reject(new Error('Connections come from the pool of this driver.')) });
    this.#parts = parts;
  }

  /** Opens nothing: connections are opened when they are needed. */
  override async init(): Promise<void> {}

  override acquireConnection(options?: AbortableOperationOptions): Promise<DedicatedConnection> {
    return this.#parts.pool.acquire({ signal: options?.signal });
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof DedicatedConnection) await connection.release();
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'));
    } catch (error) {
      // The transaction ended with its connection. The caller should see the error that broke it, not this one.
      if (error instanceof ConnectionLostError) return;
      if (connection instanceof DedicatedConnection) connection.discard(error as Error);
      throw error;
    }
  }

  override async destroy(): Promise<void> {
    const { groupCommit, pool, pipelines, breaker } = this.#parts;
    await Promise.all([groupCommit.close().then(() => pool.close()), pipelines.close()]);
    await breaker.destroy();
  }
}
