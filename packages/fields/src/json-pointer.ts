/** A JSON Pointer as a URI fragment (RFC 6901, section 6), such as `#/licenses/0/number`. */
export function pointerTo(path: readonly string[]): string {
  // JSON can contain lone surrogates, which have no percent-encoding.
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

/** Parts with invalid percent-encoding stay unchanged. */
export function pathOfPointer(pointer: string): string[] {
  return pointer.split('/').slice(1).map(decode);
}
