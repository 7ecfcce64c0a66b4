import type { RosterError } from '@roster/api';
import type { Context, RawJson } from '@roster/api/server';

/** The context of a procedure of the REST router. */
export interface RestContext {
  /** The context of the procedure of the service that it calls. */
  readonly context: Context;
  /** The path of the request. */
  readonly path: string;
  /** The query parameters, each with all its values. */
  readonly query: Readonly<Record<string, string[]>>;
  /** The response body, if the procedure of the service has returned encoded JSON. */
  rawJson: RawJson | undefined;
}

interface RequestParts extends Omit<RestContext, 'rawJson'> {
  method: string;
  /** The parsed body; undefined if the operation has none. */
  body: object | undefined;
}

/** The part of `Headers` that the handler reads: a body is the JSON that Fastify has parsed. */
const headers = { get: () => 'application/json' };
/** Never aborts: the database is told in another way that a client has disconnected. */
const { signal } = new AbortController();

/**
 * A request that Fastify has routed, decoded and parsed, for the handler of trpc-to-openapi. The handler takes a Fetch
 * `Request` or one of node:http, from which it makes a `Request` with all its headers and a stream of its body. This one
 * counts as a `Request` and has only what the handler reads, because to construct a `Request` costs as much as to route one.
 */
export class OpenApiRequest {
  readonly method: string;
  readonly url: string;
  readonly headers = headers;
  readonly signal = signal;
  readonly query: Readonly<Record<string, string[]>>;
  /** The handler takes a parsed body from where a `Request` has a stream. */
  readonly body: object | undefined;
  readonly context: RestContext;
  /** Why the request is rejected; set when the handler reports an error. */
  failure: RosterError | undefined;

  constructor({ method, path, query, body, context }: RequestParts) {
    this.method = method;
    this.url = path;
    this.query = query;
    this.body = body;
    this.context = { context, path, query, rawJson: undefined };
  }

  /** The request that the handler passes to its callbacks under a type of node:http. */
  static from(request: object): OpenApiRequest {
    if (request instanceof OpenApiRequest) return request;
    throw new TypeError('the handler was given a request of another kind');
  }
}
Object.setPrototypeOf(OpenApiRequest.prototype, Request.prototype);

/** The response that the handler of trpc-to-openapi writes, for Fastify to send. */
export class OpenApiResponse {
  statusCode = 200;
  readonly headers: Record<string, string> = {};
  body: string | undefined;

  setHeader(name: string, value: string): void {
    this.headers[name.toLowerCase()] = value;
  }

  end(body?: string): void {
    this.body = body;
  }
}

/**
 * The handler of trpc-to-openapi, with that part of its parameters which it uses: its own types ask for all of node:http.
 * Methods, unlike functions, may take less than what they are assigned from; the compiler checks that it is a part.
 */
export interface OpenApiHandler {
  handle(request: HandledRequest, response: HandledResponse): Promise<void>;
}

interface HandledRequest {
  method?: string | undefined;
  url?: string | undefined;
  query?: unknown;
  body?: unknown;
}

interface HandledResponse {
  statusCode: number;
  setHeader(name: string, value: string): void;
  end(body: string): void;
}
