import type { Database } from '@roster/db';
import { type Kysely, sql, type Transaction } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { RosterError } from '../../../errors/roster-error.ts';
import { checkCreationLimit } from '../../../identity/access/creation-limits.ts';
import type { CallContext } from '../../../trpc/context.ts';

/** The bytes by which an encoding is detected and a header is read, at least. */
const HEAD_BYTES = 64 * 1024;
/** Far longer than a request may take to arrive: what has no import by then was abandoned by a server that died. */
const KEPT_MS = 10 * 60 * 1_000;

/**
 * Reserves the job of a file that is about to be received, in a transaction that ends before the first byte is awaited. Until the upload
 * is kept or discarded it counts as an unfinished job. Returns its id. Throws `limit_reached`.
 */
export async function reserveUpload(ctx: CallContext): Promise<string> {
  const now = ctx.services.now();
  const id = uuidv7({ msecs: now.getTime() });
  await ctx.db.transaction().execute(async (trx) => {
    await checkCreationLimit(trx, 'jobs', ctx);
    const expiresAt = new Date(now.getTime() + KEPT_MS);
    await trx.insertInto('upload').values({ id, created_by: ctx.caller.id, expires_at: expiresAt }).execute();
  });
  return id;
}

/** Gives an upload to its import, in the transaction that accepts the job which was reserved. Throws `request_timeout` if it has expired. */
export async function keepUpload(
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
export async function discardUpload(db: Kysely<Database>, id: string): Promise<void> {
  await sql`delete from upload where id = ${id} and import_id is null`.execute(db);
}

/**
 * Deletes the uploads that nothing will keep, one at a time, because each may have a large text. Returns their number. Any number of
 * servers can run it at the same time.
 */
export async function deleteAbandonedUploads(db: Kysely<Database>, now: Date): Promise<number> {
  for (let count = 0; ; count += 1) {
    const { numAffectedRows = 0n } = await sql`
      delete from upload where id = (
        select id from upload where import_id is null and expires_at <= ${now} limit 1 for update skip locked
      )`.execute(db);
    if (numAffectedRows === 0n) return count;
  }
}

export function countLines(text: Buffer): number {
  let count = 0;
  for (let at = text.indexOf(0x0a); at >= 0; at = text.indexOf(0x0a, at + 1)) count += 1;
  return count;
}

/** The text of an upload. Each piece is stored by a statement of its own. */
export class UploadText {
  readonly #db: Kysely<Database>;
  readonly #id: string;
  #number = 0;
  #start = 0;
  lines = 0;
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
    this.lines += countLines(text);
  }

  /** Reads all of it again, which is in UTF-8 as far as it goes, as text in an encoding in which each byte is a character. */
  async decodeAgain(encoding: string): Promise<void> {
    const count = this.#number;
    [this.#number, this.#start, this.head] = [0, 0, Buffer.alloc(0)];
    const decoder = new TextDecoder(encoding);
    for (let number = 0; number < count; number += 1) {
      const { rows } = await sql<{ text: Buffer }>`
        delete from upload_chunk where upload_id = ${this.#id} and number = ${number} returning text`.execute(
        this.#db,
      );
      await this.add(Buffer.from(decoder.decode(rows[0]?.text)));
    }
  }
}
