import type { RowAsRead } from './row-as-read.ts';

/*
 * A row on its way from read to judged. Each pass returns rows with its part:
 *
 * RowAsRead -> judge-offices -> PlacedRow -> judge-matches -> LedRow -> KnownRow -> MatchedRow -> judge-rows -> JudgedRow
 *
 * The other passes only add faults, or edit the fields. All forms of a row share its fields and faults.
 */

/** An office that a name leads to. */
export interface FoundOffice {
  id: string;
  status: 'active' | 'inactive';
}

export interface PlacedRow extends RowAsRead {
  /** The existing office that it names. */
  readonly foundOffice: FoundOffice | undefined;
  /** The row of the same call that its new office is. */
  readonly officeRow: RowAsRead | undefined;
}

export interface LedRow extends PlacedRow {
  /** The key by which its record is looked up. */
  readonly ledBy: 'id' | 'source' | 'likeness' | 'email' | 'emailAndName' | 'name';
  /** The ID of its record, unless its own source leads there. */
  readonly ledTo: string | undefined;
  /** Whether that is a survivor: the record with its key was merged into it. */
  readonly isMerged: boolean;
  /** The name that the merge took, by which the survivor is known too. */
  readonly mergedName: string | null;
}

/** The existing record of a row. */
interface Match {
  id: string;
  version: number;
  officeId: string | null;
  /** The values of the fields that its name consists of. */
  names: (string | null)[];
}

/** The state of the table about a row. */
export interface Known {
  match: Match | null;
  /** The email address as it is compared, the record that has it, and the survivor of one that had it. */
  foldedEmail: string | null;
  emailHolder: string | null;
  emailSurvivor: string | null;
  /** Whether its metadata and that of the existing record have too many pairs together. */
  isMetadataFull: boolean;
  /** Whether a record outside the limit has its source, possibly by a merge; absent without a limit. */
  isSourceTaken?: boolean;
}

export interface KnownRow extends LedRow, Known {
  /** The ID of its record, existing or new. */
  readonly id: string;
}

export interface MatchedRow extends KnownRow {
  /** Whether a different row of the call counts for its record, so that it changes nothing. */
  readonly isSuperseded: boolean;
  /** Whether its record gets a different name, though no key led to it. */
  readonly isRenamed: boolean;
  /** The row of the same call whose record gives up the email address that this row takes. */
  readonly emailGiver: RowAsRead | undefined;
}

/** A row as judged: without issues, it can be written. */
export interface JudgedRow extends MatchedRow {
  /** The country by which its phone numbers without a country code are read, null if unknown; undefined without such numbers. */
  readonly phoneCountry: string | null | undefined;
  /** Values that were read in one of several ways. */
  readonly notes: readonly { field: string; detail: string }[];
}
