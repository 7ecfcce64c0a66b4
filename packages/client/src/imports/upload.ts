import { withRetries } from '../calls/retry.ts';
import { searchParamsOf } from '../calls/transport.ts';
import type { Import, ImportUpload } from '../contract.d.ts';
import { problemError, unreachable } from '../errors.ts';

/** The input of an upload, whose file is sent beside it. */
export type UploadInput = Omit<ImportUpload, 'content'>;

/** The options of an upload. */
export interface UploadOptions {
  /** The base URL of the service. */
  url: string;
  /** The API key; without it the session of the page is used. */
  key?: string | undefined;
  /** With the same key the same file is received once, for 24 hours; generated unless given. */
  idempotencyKey?: string | undefined;
  /** The maximum number of attempts, including the first; 5 unless given. */
  attempts?: number | undefined;
  signal?: AbortSignal | undefined;
  /** The `fetch` to use instead of the global one. */
  fetch?: typeof globalThis.fetch | undefined;
}

/** Of a file whose format is not said, the service finds it out. */
const mediaTypes = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  unknown: 'application/octet-stream',
} as const;
const ATTEMPTS = 5;
const RETRY_AFTER_MAX_MS = 60_000;

/**
 * Sends a file to be imported, as it is on the disk: `file` is read as it is sent, and again if an attempt fails. Resolves to
 * the import, whose job goes on in the background. Rejects with a `RosterError`, `validation_failed` if the header does not fit.
 */
export async function uploadImport(
  { resource, ...input }: UploadInput,
  file: Blob,
  { url, key, idempotencyKey = crypto.randomUUID(), attempts = ATTEMPTS, signal, ...options }: UploadOptions,
): Promise<Import> {
  const { fetch = globalThis.fetch } = options;
  const target = `${url.replace(/\/+$/, '')}/imports/${resource}/file?${searchParamsOf(input)}`;
  const send = async (): Promise<Import> => {
    const response = await fetch(target, {
      method: 'POST',
      body: file,
      headers: {
        'Content-Type': mediaTypes[input.format ?? 'unknown'],
        'Idempotency-Key': idempotencyKey,
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      },
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      throw unreachable(url, cause, 0);
    });
    const text = await response.text();
    if (!response.ok) throw problemError(target, response, text);
    return JSON.parse(text) as Import;
  };
  const policy = { attemptsMax: attempts, retryAfterMaxMs: RETRY_AFTER_MAX_MS, isRepeatable: true };
  return withRetries(send, policy, signal);
}

/** The bytes of a file by which the service finds out what its columns mean. */
const PREVIEW_BYTES = 128 * 1024;
/** The bytes that are converted to base64 at once. */
const PIECE_BYTES = 0x8000;

/** Reads the beginning of a file as `imports.preview` takes it. */
export async function readBeginning(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, PREVIEW_BYTES).arrayBuffer());
  let binary = '';
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    binary += String.fromCharCode(...bytes.subarray(at, at + PIECE_BYTES));
  return btoa(binary);
}
