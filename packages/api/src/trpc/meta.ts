import type { Scope } from '../api-keys/scopes.ts';
import type { ErrorCode } from '../errors/error-codes.ts';

/**
 * What a procedure says of itself; the REST mapping and the OpenAPI document are made of it. The types are spelled
 * out here, because they are part of the router's type: an application that imports it should need no other's.
 */
export interface Meta extends Record<string, unknown> {
  openapi?: {
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
    /** With `{name}` for its parameters. */
    path: `/${string}`;
    tags: string[];
    summary: string;
    description: string;
    /** What a body may be; JSON unless given. */
    contentTypes?: string[];
  };
  /** Of a subscription: where REST has it, as server-sent events. The OpenAPI adapter knows nothing of those. */
  stream?: { path: `/${string}`; tags: string[]; summary: string; description: string };
  /** The status of success where it is not 200. */
  status?: 201 | 204;
  /** Whether the status is 207 where some of what was asked for was refused; the answer counts them as `refused`. */
  isPartial?: boolean;
  /** How large a body may be, where that is not what every operation takes. */
  bodyMaxBytes?: number;
  /** What the key of the caller must be allowed to do. */
  scope?: Scope;
  /** Whether the answer holds a secret, which is kept nowhere. */
  isSecret?: boolean;
  /** The error codes of this operation, in addition to those that all operations share. */
  errors?: ErrorCode[];
}
