import { records } from '@roster/contract/records';
import type { Field } from '@roster/fields';
import { type Body, type CollectionName, directoryOf, next } from './fixtures.ts';
import type { TestServer } from './index.ts';

/** Words of many scripts, as they are stored: combining marks that no letter has, right to left, characters beyond the basic plane, joined emoji. */
export const scripts: Record<string, string> = {
  Latin: 'Atlântico-Größe-Žižkov-q\u0302',
  Greek: 'Ακίνητα-Αθηνών',
  Cyrillic: 'Київська-нерухомість',
  CJK: '東京不動産サービス-서울-北京',
  Arabic: 'عقارات-القاهرة',
  emoji: '🏠👩‍👩‍👧‍👦🏳️‍🌈𝔥',
};

/** Exactly so many characters (code points) of a word, over and over; an invisible one at the end, which is not stored, is a dash. */
export function filled(word: string, length: number): string {
  const characters = [...word];
  const text = Array.from({ length }, (_, index) => characters[index % characters.length]).join('');
  return text.replace(/\p{Default_Ignorable_Code_Point}$/u, '-');
}

/** Records that others can refer to. */
export interface References {
  officeId: string;
  affiliatedOfficeId: string;
  agentId: string;
}

export async function createReferences(server: Pick<TestServer, 'request'>): Promise<References> {
  const { office, agent } = directoryOf(server);
  const [own, affiliated, { id: agentId }] = await Promise.all([office(), office(), agent()]);
  return { officeId: own.id, affiliatedOfficeId: affiliated.id, agentId };
}

/** The texts that have a form of their own: those of these fields, and telephones, whose examples have a prefix. */
const formed: readonly string[] = ['country', 'region', 'timeZone', 'languages'];

/** A list as long as it may be; of different records, which its items name, it has one. */
function fullList({ parts = [], item, maxItems = 1 }: Field, fill: (field: Field) => unknown): unknown[] {
  if (item !== undefined)
    return Array.from({ length: maxItems }, () => fill({ ...item, name: '', description: '' }));
  const length = parts.some(({ refersTo }) => refersTo !== undefined) ? 1 : maxItems;
  // Each has a number of its own: no record has a licence twice.
  const numbered = (part: Field, index: number) =>
    `${String(index).padStart(2, '0')}${fill({ ...part, maxLength: (part.maxLength ?? 2) - 2 })}`;
  return Array.from({ length }, (_, index) =>
    Object.fromEntries(
      parts.map((part) => [part.name, part.name === 'number' ? numbered(part, index) : fill(part)]),
    ),
  );
}

/** The longest value of a field, of words of a script. */
function fullValue(field: Field, word: string, ids: Readonly<Record<string, string>>): unknown {
  const { name, kind, example, maxLength = 1, maxItems = 1, maximum = 1, item, parts = [] } = field;
  if (formed.includes(name) || (typeof example === 'string' && /^\+\d/.test(example))) return example;
  const fill = (inner: Field) => fullValue(inner, word, { ...ids, offices: ids.affiliated ?? '' });
  switch (kind) {
    case 'text':
    case 'long-text':
      return filled(word, maxLength);
    case 'email': {
      // Composed, and without the joiners of emoji, which no address has.
      const seen = word.normalize('NFC').replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');
      return `${next()}-${filled(seen, 40)}@${filled(seen, 180)}.example`;
    }
    case 'url':
      return `https://roster.example/${filled(word, 2_000)}`;
    case 'choice':
      return field.choices?.at(-1);
    case 'number':
      return maximum;
    case 'switch':
      return false;
    case 'date':
      return '2028-02-29';
    case 'time':
      return '2028-02-29T00:00:00.000Z';
    case 'reference':
      return ids[field.refersTo ?? ''];
    case 'list':
    case 'records':
      return fullList(field, fill);
    case 'map':
      return Object.fromEntries(
        Array.from({ length: maxItems }, (_, index) => [
          `${filled(word, 36)}-${index}`,
          filled(word, item?.maxLength ?? 1),
        ]),
      );
    case 'object':
      return Object.fromEntries(parts.map((part) => [part.name, fill(part)]));
  }
}

/** A record with every field filled, each to its longest value: no two have the same address or source. */
export function fullRecord(
  collection: CollectionName,
  word: string,
  { officeId, affiliatedOfficeId, agentId }: References,
): Body {
  const ids = { offices: officeId, affiliated: affiliatedOfficeId, agents: agentId };
  const written = records[collection].fields.filter(({ isReadOnly }) => !isReadOnly);
  const values = written.map((field) => [field.name, fullValue(field, word, ids)]);
  const source = { name: filled(word, 255), key: `${filled(word, 240)}-${next()}` };
  return { ...Object.fromEntries(values), source };
}

/** What the fields of a record are that nothing was written to. */
export function absentFields(collection: CollectionName): Body {
  const absent = records[collection].fields.filter(
    ({ isNullable, isAlwaysSet, kind }) =>
      (isNullable && !isAlwaysSet) || ['list', 'records', 'map'].includes(kind),
  );
  return Object.fromEntries(
    absent.map(({ name, kind }) => {
      if (kind === 'map') return [name, {}];
      return [name, kind === 'list' || kind === 'records' ? [] : null];
    }),
  );
}
