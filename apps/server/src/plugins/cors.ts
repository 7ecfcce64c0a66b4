import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const PREFLIGHT_CACHE_S = 600;

/** The response headers that a page of an allowed origin may read (CORS). */
export const exposedHeaders = [
  'ETag',
  'Link',
  'Location',
  'Retry-After',
  'X-Request-Id',
  'Idempotency-Replayed',
  'Consistency-Token',
  'RateLimit',
  'RateLimit-Policy',
  'OData-Version',
  'Preference-Applied',
  'EntityId',
];

/** Lets pages of these origins call the API (CORS); does nothing if there are none. */
export async function registerCors(app: FastifyInstance, origins: string[]): Promise<void> {
  if (origins.length === 0) return;
  await app.register(cors, {
    origin: origins,
    methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
    exposedHeaders,
    maxAge: PREFLIGHT_CACHE_S,
    // The plugin only adds its headers: `not-found.ts` answers every OPTIONS, from browsers and others alike.
    strictPreflight: false,
    preflightContinue: true,
  });
}
