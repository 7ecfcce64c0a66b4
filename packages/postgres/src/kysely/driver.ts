import {
  type AbortableOperationOptions,
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type TransactionSettings,
} from 'kysely';
import { escapeIdentifier } from 'pg';
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

/** Kysely's driver interface: dedicated connections, and transactions on them. */
export class DedicatedDriver implements Driver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Opens nothing: connections are opened when they are needed. */
  async init(): Promise<void> {}

  acquireConnection(options?: AbortableOperationOptions): Promise<DedicatedConnection> {
    return this.#parts.pool.acquire({ signal: options?.signal });
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof DedicatedConnection) await connection.release();
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean);
    await run(connection, modes.length > 0 ? `start transaction ${modes.join(' ')}` : 'begin');
  }

  /** @throws AbortedTransactionError if PostgreSQL rolled back because an earlier statement had failed */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { rows } = await connection.executeQuery<{ command: string }>(CompiledQuery.raw('commit'));
    if (rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await run(connection, 'rollback');
    } catch (error) {
      // The transaction ended with its connection. The caller should see the error that broke it, not this one.
      if (error instanceof ConnectionLostError) return;
      if (connection instanceof DedicatedConnection) connection.discard(error as Error);
      throw error;
    }
  }

  async savepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await run(connection, `savepoint ${escapeIdentifier(name)}`);
  }

  async rollbackToSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await run(connection, `rollback to ${escapeIdentifier(name)}`);
  }

  async releaseSavepoint(connection: DatabaseConnection, name: string): Promise<void> {
    await run(connection, `release ${escapeIdentifier(name)}`);
  }

  async destroy(): Promise<void> {
    const { groupCommit, pool, pipelines, breaker } = this.#parts;
    await Promise.all([groupCommit.close().then(() => pool.close()), pipelines.close()]);
    await breaker.destroy();
  }
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
