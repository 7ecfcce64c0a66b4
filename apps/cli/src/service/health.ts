/** The health of a service, which needs no key. */
export interface Health {
  /** `not ready`: it answers but its database does not; `unreachable`: no Roster answers at the URL. */
  service: 'ready' | 'not ready' | 'unreachable';
  /** The version in its OpenAPI document. */
  version: string | undefined;
}

/** The limit of a request, the same as that of a call of the client. */
const TIMEOUT_MS = 30_000;

async function requestHealth(url: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

async function readVersion(answer: Response | undefined): Promise<string | undefined> {
  try {
    const document = (await answer?.json()) as { info: { version: string } } | undefined;
    return document?.info.version;
  } catch {
    return undefined;
  }
}

/** Checks the health of the service at a base URL. Throws only if the signal is aborted. */
export async function checkHealth(url: string, signal: AbortSignal): Promise<Health> {
  const base = url.replace(/\/+$/, '');
  const [ready, document] = await Promise.all([
    requestHealth(`${base}/readyz`, signal),
    requestHealth(`${base}/openapi.json`, signal),
  ]);
  const version = await readVersion(document);
  if (version === undefined || ready === undefined) return { service: 'unreachable', version };
  return { service: ready.ok ? 'ready' : 'not ready', version };
}
