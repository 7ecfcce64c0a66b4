export interface Address {
  name: string | undefined;
  email: string;
}

/** `Ana Prata <ana@casaclara.example>`, as mail programs copy addresses, or one word. */
const entry = /(?:"([^"\n]*)"|([^"<>,;\n@]*))\s*<([^<>\s]+)>|[^\s,;]+/g;

/** Returns the addresses of a text, each once, separated by lines, spaces, commas or semicolons. */
export function addressesOf(text: string): Address[] {
  const found = new Map<string, Address>();
  for (const [word, quoted, plain, inBrackets] of text.matchAll(entry)) {
    const email = inBrackets ?? word;
    const name = (quoted ?? plain)?.trim() || undefined;
    if (!found.has(email.toLowerCase())) found.set(email.toLowerCase(), { name, email });
  }
  return [...found.values()];
}

export function textOfAddresses(addresses: readonly Address[]): string {
  return addresses.map(({ name, email }) => (name === undefined ? email : `"${name}" <${email}>`)).join('\n');
}
