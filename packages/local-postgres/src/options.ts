import type { LocalPostgresUnavailable } from './errors.ts';

export interface LocalPostgresOptions {
  /** The directory for the database, an absolute path. It is created if it does not exist. */
  dataDir: string;
  /**
   * The name of the superuser, of the database and of the server (`cluster_name`): lower-case letters, digits and
   * underscores. It must stay the same for one data directory. 'postgres' unless given.
   */
  name?: string;
  /** More settings for the server, by PostgreSQL's names; they override the defaults. They apply when it starts. */
  settings?: Record<string, string>;
  /**
   * The directory of the data and the programs if this process is root and the unprivileged user that PostgreSQL runs as has no
   * access to the usual ones: it belongs to root. '/var/lib/local-postgres' unless given.
   */
  fallbackDir?: string;
  /** Advice for the reader of an error, which is added to its message. None unless given. */
  advice?: (error: LocalPostgresUnavailable) => string;
  /** Receives messages for people about what is being done. */
  onProgress?: (message: string) => void;
}

/** The parameters with which node-postgres connects. The host is the directory of a unix socket, or in tests an address too. */
export interface LocalPostgresConnection {
  host: string;
  port: number;
  user: string;
  database: string;
}

export const DEFAULTS = {
  name: 'postgres',
  settings: {},
  fallbackDir: '/var/lib/local-postgres',
  advice: () => '',
  onProgress: () => undefined,
} satisfies Partial<LocalPostgresOptions>;
