import { randomUUID } from 'node:crypto';

/** What the load asks for, as text that is ready to be sent: making it must cost next to nothing. */

interface Target {
  port: number;
  key: string;
}

type Kind = keyof ReturnType<typeof kindsOf>;

/** How often each kind is asked for. */
export type Mix = Partial<Record<Kind, number>>;

/** Two fifths read one record, the rest are lists, searches, creates and patches. */
const BUSY: Mix = { get: 8, list: 5, search: 2, create: 3, patch: 2 };
/** Nearly all read one record. */
export const READING: Mix = { get: 45, list: 1, search: 1, create: 2, patch: 1 };

const cities = ['Lisboa', 'Porto', 'Braga', 'Faro', 'Évora', 'Coimbra', 'Aveiro', 'Setúbal'];
const names = [
  'Silva',
  'Santos',
  'Ferreira',
  'Pereira',
  'Oliveira',
  'Costa',
  'Rodrigues',
  'Martins',
  'Sousa',
];

/** One of a list, which is not empty. */
function oneOf(list: readonly string[], n: number): string {
  return list[n % list.length] as string;
}

/** The agent of a number, as the body of a create. */
function agentOf(n: number) {
  return {
    firstName: oneOf(['Ana', 'Rui', 'Inês', 'João', 'Marta'], n),
    lastName: `${oneOf(names, n)} ${n % 997}`,
    email: `agent.${randomUUID()}@load.example`,
    title: 'Consultant',
    languages: ['pt-PT', 'en'],
    address: { line1: `Rua ${n % 300}`, city: oneOf(cities, n), country: 'PT' },
  };
}

function textOf({ port, key }: Target, [method, path, body]: [string, string, string?]): string {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n`;
  if (body === undefined) return `${head}\r\n`;
  const length = Buffer.byteLength(body);
  return `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
}

function kindsOf(target: Target, ids: readonly string[]) {
  const request = (method: string, path: string, body?: object) =>
    textOf(target, [method, path, ...(body === undefined ? [] : [JSON.stringify(body)])] as [string, string]);
  const search = (n: number) => encodeURIComponent(`${oneOf(names, n)} ${oneOf(cities, n)}`);
  return {
    get: (n: number) => request('GET', `/agents/${oneOf(ids, n * 7)}`),
    list: (n: number) => request('GET', `/agents?limit=50&sort=${n % 2 ? 'lastName' : '-createdAt'}`),
    search: (n: number) => request('GET', `/agents?limit=20&q=${search(n)}`),
    create: (n: number) => request('POST', '/agents', agentOf(n)),
    patch: (n: number) => request('PATCH', `/agents/${oneOf(ids, n * 13)}`, { title: `Consultant ${n}` }),
  };
}

/** An endless row of requests. */
export function requestsTo(target: Target, ids: readonly string[], mix = BUSY): () => string {
  const kinds = kindsOf(target, ids);
  const row = Object.entries(mix).flatMap(([kind, count]) =>
    Array.from({ length: count }, () => kind as Kind),
  );
  let n = 0;
  return () => {
    n += 1;
    // A step that has no divisor in common with the length mixes the kinds.
    const kind = row[(n * 7) % row.length] as Kind;
    return kinds[kind](n);
  };
}
