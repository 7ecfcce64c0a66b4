/** The encoding that a byte order mark names; undefined without one. */
function markedEncoding([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

/** UTF-16 without a mark: in a table every second byte is mostly zero. */
function wideEncoding(head: Uint8Array): string | undefined {
  let [even, odd] = [0, 0];
  for (const [index, byte] of head.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even += 1;
    else odd += 1;
  }
  const many = head.length / 8;
  if (odd > many && odd > 4 * even) return 'utf-16le';
  return even > many && even > 4 * odd ? 'utf-16be' : undefined;
}

/** The encoding that the beginning of a file names or has for sure; undefined for one that may be UTF-8. */
export function findEncoding(head: Uint8Array): string | undefined {
  return markedEncoding(head) ?? wideEncoding(head);
}

/** The first bytes of a ZIP, which workbooks of spreadsheets are, and of a workbook of Excel until 2003. */
const workbooks = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
];

/** Whether a file is no text but a workbook of Excel, Numbers or LibreOffice, by its first bytes. */
export function isWorkbook(head: Uint8Array): boolean {
  return workbooks.some((signature) => signature.every((byte, place) => head[place] === byte));
}
