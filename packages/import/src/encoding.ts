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

/** The beginnings of files that are not tables, as Latin 1, with advice for each. */
const foreignFormats: readonly [pattern: RegExp, advice: string][] = [
  [
    /^(?:PK[^ -~]{2}|\xd0\xcf[^ -~]\xe0)/,
    'is a workbook, which is not read: save its sheet as CSV, and import that file (Excel: File, Save As, "CSV UTF-8"; Numbers: File, Export To, CSV; Google Sheets: File, Download, CSV; LibreOffice: File, Save As, Text CSV)',
  ],
  [/^[^ -~]‹[^ -~]/, 'is packed (gzip), which is not read: unpack it first'],
  [/^%PDF/, 'is a PDF, which is not read: export the table as CSV from the program that made it'],
  [/^BEGIN:VCARD/i, 'is a vCard, which is not read: export the contacts as CSV'],
  [/^\[\s*[{[\]]/, 'is a JSON array, which is not read: write each record on a line of its own (NDJSON)'],
  [
    /^<(?:!doctype|html|head|body|table|\?xml|meta|script|div)\b/i,
    'is a page of HTML or XML, which is not read: the download may have failed or need a sign-in; export the table as CSV',
  ],
  [/^\{\\rtf/, 'is a document (RTF), which is not read: save the table as CSV'],
];

/** Why a file cannot be read as a table, and what to do, by its first bytes; undefined if it may be one. */
export function findForeignFormat(head: Uint8Array): string | undefined {
  const beginning = head.subarray(0, 1_024);
  const texts = ['latin1', findEncoding(beginning) ?? 'utf-8'].map((encoding) =>
    new TextDecoder(encoding).decode(beginning).trimStart(),
  );
  return foreignFormats.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

/** Whether a file is packed (ZIP), as workbooks of Excel are, or in the container of old ones and of those with a password. */
export async function isPacked(file: Blob): Promise<boolean> {
  const [first, second, third, fourth] = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const isZip = first === 0x50 && second === 0x4b && third === 3 && fourth === 4;
  return isZip || (first === 0xd0 && second === 0xcf && third === 0x11 && fourth === 0xe0);
}
