/** The acceptable versions of a record: some or any (If-Match), or any except some (If-None-Match). */
export type Precondition = readonly number[] | 'any' | { except: readonly number[] };
