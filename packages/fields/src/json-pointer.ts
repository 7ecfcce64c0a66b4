/**
 * The place in a body that an error of the service names: a JSON Pointer as a URI fragment (RFC 6901, section 6), such as
 * `#/licenses/0/number`.
 *
 * @param path the names and the numbers of items that lead to it
 */
export function pointerTo(path: readonly string[]): string {
  // JSON can contain one half of a surrogate pair, which has no percent-encoding.
  const tokens = path.map((name) =>
    encodeURIComponent(name.toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')),
  );
  return ['#', ...tokens].join('/');
}

function decode(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return token;
  }
}

/** The names and the numbers of items in a JSON Pointer as a URI fragment; a part that is no percent-encoding stays as it is. */
export function pathOfPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(decode);
}
