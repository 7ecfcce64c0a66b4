import { type Body, type CollectionName, directoryOf, next } from './fixtures.ts';
import type { TestServer } from './index.ts';

/** Words of many scripts: combining marks, right to left, characters beyond the basic plane, joined emoji. */
export const scripts: Record<string, string> = {
  Latin: 'Atlântico-Größe-Žižkov-e\u0301',
  Greek: 'Ακίνητα-Αθηνών',
  Cyrillic: 'Київська-нерухомість',
  CJK: '東京不動産サービス-서울-北京',
  Arabic: 'عقارات-القاهرة',
  emoji: '🏠👩‍👩‍👧‍👦🏳️‍🌈𝔥',
};

/** Exactly so many characters (code points) of a word, over and over. */
export function filled(word: string, length: number): string {
  const characters = [...word];
  return Array.from({ length }, (_, index) => characters[index % characters.length]).join('');
}

const address = (word: string) => ({
  line1: filled(word, 100),
  line2: filled(word, 100),
  city: filled(word, 100),
  county: filled(word, 100),
  region: filled(word, 3),
  postalCode: filled(word, 16),
  country: 'PT',
});

const license = (word: string) => ({
  number: filled(word, 50),
  region: filled(word, 3),
  type: filled(word, 30),
  expiresOn: '2028-02-29',
});

const contact = (word: string) => ({
  phone: '+351210000042',
  phoneExt: filled(word, 10),
  fax: '+351210000043',
  email: `${next()}-${filled(word, 40)}@${filled(word, 180)}.example`,
  website: `https://roster.example/${filled(word, 2_000)}`,
  type: filled(word, 50),
  mlsId: filled(word, 50),
  nationalAssociationId: filled(word, 50),
  bio: filled(word, 4_000),
  address: address(word),
  source: { name: filled(word, 255), key: `${filled(word, 240)}-${next()}` },
  metadata: Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`${filled(word, 36)}-${index}`, filled(word, 500)]),
  ),
});

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

/** A record with every field filled, each to its longest value. */
export function fullRecord(
  collection: CollectionName,
  word: string,
  { officeId, affiliatedOfficeId, agentId }: References,
): Body {
  if (collection === 'offices') {
    return {
      ...contact(word),
      name: filled(word, 255),
      legalName: filled(word, 255),
      branchType: 'branch',
      mainOfficeId: officeId,
      brokerAgentId: agentId,
      managerAgentId: agentId,
      franchise: filled(word, 100),
      licenses: Array.from({ length: 20 }, () => license(word)),
      mailingAddress: address(`${word}-2`),
      timeZone: 'Asia/Tokyo',
    };
  }
  return {
    ...contact(word),
    firstName: filled(word, 100),
    lastName: filled(`2-${word}`, 100),
    middleName: filled(word, 100),
    nickname: filled(word, 100),
    namePrefix: filled(word, 20),
    nameSuffix: filled(word, 20),
    displayName: filled(`3-${word}`, 255),
    title: filled(word, 100),
    officeId,
    affiliations: [
      { officeId: affiliatedOfficeId, title: filled(word, 100), isVisible: false, since: '2020-02-29' },
    ],
    mobilePhone: '+351910000001',
    directPhone: '+351210000007',
    licenses: Array.from({ length: 50 }, () => license(word)),
    languages: ['pt-PT', 'el', 'zh-Hant-TW'],
    designations: Array.from({ length: 30 }, () => filled(word, 50)),
    assistantToAgentId: agentId,
    photoUrl: `http://roster.example/${filled(word, 2_000)}`,
  };
}
