/** The results of a batch, counted. */
export interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  /** Of the updated and unchanged: rows without a key that were matched by e-mail address. */
  matchedByEmail: number;
  /** Of the created: rows without a key. */
  createdWithoutKey: number;
  /** Of these: rows without an e-mail address, which importing the file again would create again. */
  createdWithoutEmail: number;
}

export const noCounts: Readonly<Counts> = {
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  matchedByEmail: 0,
  createdWithoutKey: 0,
  createdWithoutEmail: 0,
};
