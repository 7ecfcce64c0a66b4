import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { z } from 'zod';

const duration = z
  .string()
  .regex(/^\d+(ms|s)$/)
  .transform((text) => Number.parseInt(text, 10) * (text.endsWith('ms') ? 1 : 1_000));

const health = z.strictObject({
  test: z.tuple([z.literal('CMD')], z.string()).transform(([, ...command]) => command),
  interval: duration,
  timeout: duration,
  start_period: duration,
  start_interval: duration,
  retries: z.int(),
});

const service = z.strictObject({
  image: z.string(),
  /** A directory with a Dockerfile; its image then bears the name. */
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  user: z.string().optional(),
  environment: z.record(z.string(), z.coerce.string()).default({}),
  secrets: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  networks: z.strictObject({ inside: z.strictObject({ ipv4_address: z.ipv4() }) }),
  depends_on: z.record(z.string(), z.strictObject({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: health,
  stop_signal: z.enum(['SIGTERM', 'SIGINT', 'SIGUSR1']).optional(),
  stop_grace_period: duration,
  // Every service is held to these, and every sandbox of ours does what they say.
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  // What only an engine can do.
  mem_limit: z.string().regex(/^\d+[mg]$/),
  pids_limit: z.int().positive(),
  init: z.boolean().optional(),
  ports: z.array(z.string()).optional(),
  restart: z.literal('unless-stopped'),
  shm_size: z.string().optional(),
  ulimits: z.strictObject({ nofile: z.int() }).optional(),
});

type Service = z.output<typeof service>;

const file = z.object({
  services: z.record(z.string(), service),
  secrets: z.record(z.string(), z.strictObject({ file: z.string() })),
  networks: z.strictObject({
    inside: z.strictObject({
      ipam: z.strictObject({ config: z.tuple([z.strictObject({ subnet: z.cidrv4() })]) }),
    }),
  }),
});

export interface Composition {
  /** In the order in which they can start: each after what it depends on. */
  services: Map<string, Service>;
  /** The file of each secret, as it is written. */
  secrets: Record<string, { file: string }>;
  subnet: string;
}

/** Reads a compose file. Throws at a key that nothing here tries, so that none is written without having been seen to work. */
export async function readComposition(path: string): Promise<Composition> {
  const { services, secrets, networks } = file.parse(parse(await readFile(path, 'utf8'), { merge: true }));
  const ordered = new Map<string, Service>();
  const add = (name: string) => {
    const found = services[name];
    if (found === undefined) throw new Error(`There is no service ${name}.`);
    for (const needed of Object.keys(found.depends_on)) add(needed);
    ordered.set(name, found);
  };
  for (const name of Object.keys(services)) add(name);
  return { services: ordered, secrets, subnet: networks.inside.ipam.config[0].subnet };
}
