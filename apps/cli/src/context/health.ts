/** What a service says of itself to anybody. */
export interface Health {
  /** `ready`; `not ready`: it answers and its database does not; `unreachable`: nothing of Roster answers there. */
  service: 'ready' | 'not ready' | 'unreachable';
  /** The version of its contract. */
  version: string | undefined;
}

const PATIENCE_MS = 5_000;

async function answerOf(url: string, signal: AbortSignal): Promise<Response | undefined> {
  try {
    return await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]) });
  } catch (error) {
    if (signal.aborted) throw error;
    return undefined;
  }
}

async function versionOf(answer: Response | undefined): Promise<string | undefined> {
  try {
    const document = (await answer?.json()) as { info: { version: string } } | undefined;
    return document?.info.version;
  } catch {
    return undefined;
  }
}

/** Asks the service at a base URL how it is. */
export async function healthOf(url: string, signal: AbortSignal): Promise<Health> {
  const base = url.replace(/\/+$/, '');
  const [ready, document] = await Promise.all([
    answerOf(`${base}/readyz`, signal),
    answerOf(`${base}/openapi.json`, signal),
  ]);
  const version = await versionOf(document);
  if (version === undefined || ready === undefined) return { service: 'unreachable', version };
  return { service: ready.ok ? 'ready' : 'not ready', version };
}
