import type { Database } from '@roster/db';
import type { Kysely, Transaction } from 'kysely';
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
  const now = ctx.now();
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
export class UploadText {
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
