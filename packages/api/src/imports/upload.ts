import { createHash } from 'node:crypto';
import type { Database } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
import { checkCreationLimit } from '../access/creation-limits.ts';
import { checkScopes } from '../access/scopes.ts';
import { newId } from '../engine/new-id.ts';
import { invalidInput, RosterError } from '../errors/roster-error.ts';
import { insertOwnJob } from '../jobs/service.ts';
import { CHECKED_MAX } from '../records/try-change.ts';
import { RECORDS_OF_REQUEST } from '../trpc/authorization.ts';
import type { CallContext, Upload } from '../trpc/context.ts';
import type { FileSettings } from './file-format.ts';
import {
  doubtfulEncoding,
  EncodingGuess,
  encodingOf,
  encodingOfCharset,
  wrongEncoding,
} from './guess-encoding.ts';
import { FILE_MAX_BYTES, fileMediaTypes, type Import, type ImportUpload } from './schemas.ts';
import { type FileFormats, readImport } from './stored-import.ts';

/** The bytes by which an encoding is detected and a header is read, at least. */
const HEAD_BYTES = 64 * 1024;
/** Far longer than a request may take to arrive: what has no import by then was abandoned by a server that died. */
const KEPT_MS = 10 * 60 * 1_000;

/**
 * Reserves the job of a file that is about to be received, in a transaction that ends before the first byte is awaited. Until the upload
 * is kept or discarded it counts as an unfinished job. Returns its id. Throws `limit_reached`.
 */
async function reserveUpload(ctx: CallContext): Promise<string> {
  const now = ctx.now();
  const id = newId(now);
  await ctx.db.transaction().execute(async (trx) => {
    await checkCreationLimit(trx, 'jobs', ctx);
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    await trx.insertInto('upload').values({ id, created_by: ctx.caller.id, expires_at: expiresAt }).execute();
  });
  return id;
}

/** Gives an upload to its import, in the transaction that accepts the job which was reserved. Throws `request_timeout` if it has expired. */
async function keepUpload(
  trx: Transaction<Database>,
  { id, importId }: { id: string; importId: string },
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('upload')
    .set({ import_id: importId })
    .where('id', '=', id)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new RosterError('request_timeout');
}

/** Deletes an upload with its text, unless it has an import. */
async function discardUpload(db: Kysely<Database>, id: string): Promise<void> {
  await db.deleteFrom('upload').where('id', '=', id).where('import_id', 'is', null).execute();
}

/**
 * Deletes the uploads that nothing will keep, one at a time, because each may have a large text. Returns their number. Any number of
 * servers can run it at the same time.
 */
export async function deleteAbandonedUploads(db: Kysely<Database>, now: Date): Promise<number> {
  for (let count = 0; ; count += 1) {
    const abandoned = db
      .selectFrom('upload')
      .where('import_id', 'is', null)
      .where('expires_at', '<=', now)
      .select('id')
      .limit(1)
      .forUpdate()
      .skipLocked();
    const deletion = db.deleteFrom('upload').where('id', '=', abandoned);
    const { numDeletedRows } = await deletion.executeTakeFirstOrThrow();
    if (numDeletedRows === 0n) return count;
  }
}

/** The text of an upload. Each piece is stored by a statement of its own. */
class UploadText {
  readonly #db: Kysely<Database>;
  readonly #id: string;
  #number = 0;
  #start = 0;
  /** The beginning of the text. */
  head: Buffer = Buffer.alloc(0);

  constructor(db: Kysely<Database>, id: string) {
    this.#db = db;
    this.#id = id;
  }

  async add(text: Buffer): Promise<void> {
    if (text.length === 0) return;
    if (this.head.length < HEAD_BYTES) this.head = Buffer.concat([this.head, text]);
    await this.#db
      .insertInto('upload_chunk')
      .values({ upload_id: this.#id, number: this.#number, start: String(this.#start), text })
      .execute();
    this.#number += 1;
    this.#start += text.length;
  }
}

/** The bytes of a piece of a file in the database. */
const CHUNK_BYTES = 256 * 1024;

/** Pieces of a file of at least some bytes, but for the last, each with the number of bytes before it. */
async function* piecesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<{ piece: Buffer; start: number }> {
  let [held, length, start]: [Uint8Array[], number, number] = [[], 0, 0];
  const take = () => {
    const piece = Buffer.concat(held);
    const taken = { piece, start };
    [held, length, start] = [[], 0, start + piece.length];
    return taken;
  };
  for await (const chunk of bytes) {
    held.push(chunk);
    length += chunk.length;
    if (start + length > FILE_MAX_BYTES)
      throw new RosterError('payload_too_large', `A file has at most ${FILE_MAX_BYTES / 1024 / 1024} MiB.`);
    if (length >= CHUNK_BYTES) yield take();
  }
  if (length > 0) yield take();
}

const nothing: Buffer = Buffer.alloc(0);

/**
 * Receives a file into the database as UTF-8, a piece at a time. Without a given encoding or a byte order mark it is UTF-8, or the
 * fallback encoding if `EncodingGuess` says so. Returns the encoding, and the hash of the bytes. Throws `validation_failed`, also for
 * what is no text.
 */
async function receive(
  text: UploadText,
  bytes: AsyncIterable<Uint8Array>,
  {
    given,
    checkIsText,
    findEncoding,
  }: { given: string | undefined } & Pick<FileFormats, 'checkIsText' | 'findEncoding'>,
): Promise<{ encoding: string; hash: Buffer }> {
  const hash = createHash('sha256');
  let named = given;
  let guess = new EncodingGuess({ isNamed: false });
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const decode = (piece: Buffer, { start, isLast }: { start: number; isLast: boolean }): Buffer => {
    const isGuessed = named === undefined || named === 'utf-8';
    const part = isGuessed ? guess.add(piece, isLast) : piece;
    const encoding = named ?? guess.encoding;
    if (encoding === 'utf-8') return part;
    decoder ??= new TextDecoder(encoding, { fatal: named !== undefined });
    try {
      return Buffer.from(decoder.decode(part, { stream: !isLast }));
    } catch {
      throw wrongEncoding(encoding, `somewhere after byte ${start}`);
    }
  };
  let end = 0;
  for await (const { piece, start } of piecesOf(bytes)) {
    if (start === 0) {
      checkIsText(piece);
      named ??= findEncoding(piece);
      guess = new EncodingGuess({ isNamed: named !== undefined });
    }
    hash.update(piece);
    await text.add(decode(piece, { start, isLast: false }));
    end = start + piece.length;
  }
  await text.add(decode(nothing, { start: end, isLast: true }));
  if (named === undefined && guess.doubt !== undefined) throw doubtfulEncoding(guess.doubt);
  return { encoding: named ?? guess.encoding, hash: hash.digest() };
}

/** The format of a file by its media type; undefined for one that says nothing. */
function formatOf(upload: Upload | undefined): 'csv' | 'ndjson' | undefined {
  return upload && fileMediaTypes[upload.mediaType];
}

/** The bytes of a text in a call of RPC. */
async function* bytesOf(content: string) {
  yield Buffer.from(content);
}

/** The encoding that the parameter names, or else the media type of the file. */
function givenEncoding(
  { request: { upload } }: CallContext,
  encoding: string | undefined,
): string | undefined {
  if (encoding !== undefined) return encodingOf(encoding);
  return upload?.charset === undefined ? undefined : encodingOfCharset(upload.charset);
}

/** The text of the file: the body of the request, or in RPC a part of the input. Throws `validation_failed` if there is none, or both. */
function fileOf(
  { request: { upload } }: CallContext,
  content: string | undefined,
): AsyncIterable<Uint8Array> {
  if ((upload === undefined) !== (content === undefined)) return upload?.bytes ?? bytesOf(content ?? '');
  const detail = upload === undefined ? 'is required' : 'is the body';
  const code = upload === undefined ? 'required' : 'not_allowed';
  throw invalidInput({ pointer: '#/content', code, detail });
}

/**
 * Receives a file, and returns its import, which a job continues in the background. The whole file is received, or nothing is
 * kept of it. While it arrives no transaction is open. Throws `validation_failed` if its header, its encoding and the options do not
 * fit, `payload_too_large`, `limit_reached`, `insufficient_scope`, `request_timeout`.
 */
export async function uploadFile(ctx: CallContext, input: ImportUpload): Promise<Import> {
  const { resource, content, ...options } = input;
  checkScopes(ctx.caller, [`${resource}:write`]);
  const given = givenEncoding(ctx, options.encoding);
  const file = fileOf(ctx, content);
  const formats = await import('./file-format.ts');
  await ctx.request.charge(CHECKED_MAX / RECORDS_OF_REQUEST - 1);
  const uploadId = await reserveUpload(ctx);
  try {
    const text = new UploadText(ctx.db, uploadId);
    const { encoding, hash } = await receive(text, file, { ...formats, given });
    const { once = (_, change) => ctx.db.transaction().execute(change) } = ctx;
    return await once(hash, async (trx) => {
      const { format = formatOf(ctx.request.upload) } = options;
      const settings = await formats.settingsOf(resource, text.head, { ...options, format, encoding });
      const columnsKey = formats.columnsKeyOf(settings);
      return acceptImport(trx, ctx, { input, uploadId, settings, columnsKey });
    });
  } finally {
    // If it cannot be deleted now, it expires.
    await discardUpload(ctx.db, uploadId).catch(() => undefined);
  }
}

/** Inserts the job of a file that has been received, for which a place was reserved, and its import. */
async function acceptImport(
  trx: Transaction<Database>,
  ctx: CallContext,
  {
    input: { resource, name, mode, acceptWarnings = [], skip = [], updateLookAlikes },
    uploadId,
    settings,
    columnsKey,
  }: { input: ImportUpload; uploadId: string; settings: FileSettings; columnsKey: string | null },
): Promise<Import> {
  const { id } = await insertOwnJob(trx, ctx, {
    resource,
    filter: null,
    change: { type: 'import', ...(name !== undefined && { name }) },
    undoes: null,
    reason: null,
    total: 0,
    batches: 0,
    isOpen: true,
  });
  await trx
    .insertInto('import')
    .values({
      id,
      step: 'read',
      is_write: mode === 'write',
      accept_warnings: [...acceptWarnings],
      skip: [...skip],
      settings: JSON.stringify(settings),
      updates_look_alikes: updateLookAlikes === true,
      columns_key: columnsKey,
      position: JSON.stringify({ bytes: 0, row: 1, line: 1 }),
    })
    .execute();
  await keepUpload(trx, { id: uploadId, importId: id });
  return readImport({ db: trx, limit: ctx.limit }, id);
}
