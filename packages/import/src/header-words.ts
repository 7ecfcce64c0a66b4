import { trimmedText } from '@roster/fields/text';

/** The spellings of each word that occurs in the names of columns, in English, Portuguese and Spanish, without accents. The first stands for all. */
const spellings: readonly string[] = [
  'licence licences license licenses lic licenca licencas licencia licencias',
  'number no nr num nbr numero n',
  'expiry expiries expires expire expiring expiration exp expdate validity validade valido valida vencimento caducidad vence caduca vigencia expiracao',
  'email mail emailaddress correio correo',
  'electronic electronico eletronico electronica',
  'mobile mob cell cellular cellphone telemovel tlm tlmv celular movil gsm',
  'phone telephone tel telefone telefono tlf telf ph phones',
  'fax facsimile',
  'agent agents member staff consultant consultor consultora agente employee associate contact licensee realtor salesperson colaborador funcionario empleado asesor vendedor comercial',
  'office branch brokerage company firm agency organization organisation escritorio agencia loja oficina sucursal empresa',
  'name nome nombre',
  'region state province regiao distrito district provincia',
  'postal zip zipcode postcode postalcode plz',
  'address addr morada endereco direccion domicilio',
  'city town cidade localidade ciudad',
  'country pais',
  'type tipo kind',
  'direct directo directa direto direta',
  'extension extensao ext extn',
  'language languages idioma idiomas lingua linguas',
];

const wordOf = new Map(
  spellings.flatMap((text) => {
    const [word = '', ...others] = text.split(' ');
    return [word, ...others].map((one): [string, string] => [one, word]);
  }),
);

/** Phrases that are one word, and signs that stand for one. */
const phrases: readonly [pattern: RegExp, word: string][] = [
  [/\bn\s*\.?\s*[º°ª]|[#№]/gi, ' number '],
  [/\be[\s-]?mail\b/gi, ' email '],
  [
    /\b(?:valid (?:until|till|to|thru|through)|good (?:until|through)|valid[oa] (?:ate|hasta))\b/gi,
    ' expiry ',
  ],
  [/\b(?:zip|postal|post)\s?code\b|\bcod(?:igo)?\.? postal\b/gi, ' postal '],
  [/\bcontact (?:number|no|phone|tel)\b|\b(?:numero|telefone|telefono) de contacto\b/gi, ' phone '],
];

/** Words that say nothing. */
const fillers = new Set(
  'of for the de da do das dos del la el los las on in at your required optional mandatory obrigatorio obligatorio value'.split(
    ' ',
  ),
);

/** Words that say nothing beside another word. */
const silentBeside: Readonly<Record<string, readonly string[]>> = {
  number: ['phone', 'mobile', 'fax', 'direct'],
  phone: ['mobile', 'fax', 'direct'],
  address: ['email'],
  electronic: ['email'],
  date: ['expiry'],
  data: ['expiry'],
  fecha: ['expiry'],
};

/** The words of the name of a column, each in one spelling: "Lic. No." and "número da licença" are `licence` and `number`. */
export function headerWords(header: string): string[] {
  let text = trimmedText(header).normalize('NFD').replaceAll(/\p{M}/gu, '');
  for (const [pattern, word] of phrases) text = text.replaceAll(pattern, word);
  const all = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  const found = new Set(
    (all ?? []).map((word) => wordOf.get(word) ?? word).filter((word) => !fillers.has(word)),
  );
  return [...found].filter((word) => !silentBeside[word]?.some((other) => found.has(other)));
}

const keyOf = (words: readonly string[]) => words.toSorted().join(' ');

/** Stands for words that mean several fields. */
const AMBIGUOUS = Symbol('ambiguous');

/**
 * Makes a function that finds what a name means by its words, in any order, among known names: first by all of its words, then without
 * those of a context, which say whose it is. Undefined for none, and for words that mean several things.
 */
export function byWords<Meaning>(
  contexts: readonly (readonly string[])[],
  known: Iterable<readonly [name: string, meaning: Meaning]>,
): (header: string) => Meaning | undefined {
  const index = new Map<string, Meaning | typeof AMBIGUOUS>();
  for (const [name, meaning] of known) {
    const key = keyOf(headerWords(name));
    const other = index.get(key);
    if (key !== '') index.set(key, other === undefined || other === meaning ? meaning : AMBIGUOUS);
  }
  return (header) => {
    const words = headerWords(header);
    for (const context of [[], ...contexts]) {
      const found = index.get(keyOf(words.filter((word) => !context.includes(word))));
      if (found !== undefined) return found === AMBIGUOUS ? undefined : found;
    }
    return undefined;
  };
}
