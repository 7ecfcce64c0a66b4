/**
 * Run once on every connection that is opened. The C library of most servers (glibc) gives what a statement took back to the
 * system at its end, which then has to find it again, page by page, for the next: a fifth of the time of a list, a tenth
 * of that of an insert. Once it has been given back a large piece it keeps up to twice as much, here 2 MB for each
 * connection (mallopt(3), M_TRIM_THRESHOLD).
 */
export const WARM_UP = "select length(repeat(' ', 1000000))";
