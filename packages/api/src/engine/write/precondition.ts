/**
 * The versions in which a change may find a record: one of a list or any (If-Match), or any except a list (If-None-Match).
 */
export type Precondition = readonly number[] | 'any' | { except: readonly number[] };
