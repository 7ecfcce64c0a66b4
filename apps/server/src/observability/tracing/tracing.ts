import type { Instrument } from '@roster/api/server';
import type { EndedStatement } from '@roster/db';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config/config.ts';
import type { RequestContext, RequestStats, RequestTarget } from '../request-context.ts';

export type TracingConfig = NonNullable<Config['traces']>;

/** Creates spans for requests, for the procedures they call, and for the statements of those. */
export interface Tracing extends AsyncDisposable {
  /** Starts the span of a request, as a child of the span in its `traceparent`. */
  requestBegan(request: FastifyRequest, stats: RequestStats, target: RequestTarget): void;
  /** Ends the span of a request, with its status and its errors. */
  requestEnded(stats: RequestStats, of: { request: FastifyRequest; reply: FastifyReply }): void;
  /** Runs a procedure in a span of its own, which is the parent of its statements. */
  instrument: Instrument;
  /** Creates the span of a statement that has just ended. */
  statementEnded(statement: EndedStatement, context: RequestContext): void;
}
