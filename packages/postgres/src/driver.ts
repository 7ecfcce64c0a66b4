import {
  type AbortableOperationOptions,
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type TransactionSettings,
} from 'kysely';
import { escapeIdentifier } from 'pg';
import type { Reachability } from './circuit-breaker.ts';
import { ConnectionLostError } from './errors.ts';
import type { Pipelines } from './pipeline/pool.ts';
import { ExclusiveConnection } from './pool/connection.ts';
import type { SharedCommits } from './pool/group-commit.ts';
import type { ExclusiveConnections } from './pool/pool.ts';

interface Parts {
  commits: SharedCommits;
  connections: ExclusiveConnections;
  pipelines: Pipelines;
  reachability: Reachability;
}

/** What Kysely asks of a driver: connections for one caller alone, and transactions on them. */
export class ExclusiveDriver implements Driver {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Nothing is opened before the first statement. */
  async init(): Promise<void> {}

  acquireConnection(options?: AbortableOperationOptions): Promise<ExclusiveConnection> {
    return this.#parts.connections.acquire({ signal: options?.signal });
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    if (connection instanceof ExclusiveConnection) await connection.release();
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode } = settings;
    const modes = [isolationLevel && `isolation level ${isolationLevel}`, accessMode].filter(Boolean);
    await run(connection, modes.length > 0 ? `start transaction ${modes.join(' ')}` : 'begin');
  }

  /** @throws AbortedTransactionError where PostgreSQL rolled back because a statement had failed before. */
  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { rows } = await connection.executeQuery<{ command: string }>(CompiledQuery.raw('commit'));
    if (rows[0]?.command === 'ROLLBACK') throw new AbortedTransactionError();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await run(connection, 'rollback');
    } catch (error) {
      // With the connection its transaction has gone; what broke it is what the caller should hear of.
      if (error instanceof ConnectionLostError) return;
      if (connection instanceof ExclusiveConnection) connection.discard(error as Error);
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
    const { commits, connections, pipelines, reachability } = this.#parts;
    await Promise.all([commits.close().then(() => connections.close()), pipelines.close()]);
    await reachability.close();
  }
}

async function run(connection: DatabaseConnection, sql: string): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw(sql));
}
