/**
 * People with known duplicates: typos, names turned round, another script, married names; and people who are alike and two: colleagues with
 * one switchboard, twins, father and son at one address, namesakes. The same of a seed.
 */

type Person = Record<string, unknown> & { firstName: string; lastName: string };

const given =
  'Ana Maria Rita Inês Marta Sofia Teresa Clara Luísa Beatriz João Pedro Rui Nuno Tiago Miguel André Carlos Bruno Paulo Helena Irina Olga Emma Julia Sarah Laura Peter Thomas Lukas Daniel Robert James William Henry Alice Nora Oscar Hugo Victor'.split(
    ' ',
  );
const family =
  'Silva Santos Ferreira Pereira Oliveira Costa Rodrigues Martins Figueiredo Quintela Valadas Salgado Barata Nobre Matos Teixeira Carvalho Moreira Cardoso Ramos Antunes Pinheiro Esteves Fonseca Machado Novak Kowalski Schneider Fischer Weber Johansson Lindberg Hughes Walker Bennett Sullivan Murphy Romero Navarro Castillo'.split(
    ' ',
  );
/** Names in Cyrillic letters, and two ways to write them in Latin ones. */
const russian = [
  ['Сергей', 'Кузнецов', 'Sergey', 'Kuznetsov', 'Serguei', 'Kuznetzov'],
  ['Дмитрий', 'Смирнов', 'Dmitriy', 'Smirnov', 'Dmitri', 'Smirnoff'],
  ['Юлия', 'Соколова', 'Yuliya', 'Sokolova', 'Julia', 'Sokolova'],
  ['Алексей', 'Лебедев', 'Aleksey', 'Lebedev', 'Alexei', 'Lebedev'],
  ['Наталья', 'Морозова', 'Natalya', 'Morozova', 'Natalia', 'Morozova'],
] as const;

/** Numbers from 0 to 1 by a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The people, the offices that they are in by number, and which of them are one, by number. */
export interface People {
  people: Person[];
  /** The kind of each duplicate, and the two that are one. */
  duplicates: { kind: string; pair: [number, number] }[];
}

/** A generator of people; the offices have the numbers below `offices`, and each one telephone. */
export function generatePeople({
  seed,
  count,
  offices,
}: {
  seed: number;
  count: number;
  offices: number;
}): People {
  const random = randomOf(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
  const chance = (share: number) => random() < share;
  let numbers = 0;
  const next = () => {
    numbers += 1;
    return numbers;
  };
  const mobile = () => `+35191${String(1_000_000 + next())}`;
  const license = () => [{ number: `CI-${10_000 + next()}`, region: '11', type: 'Broker' }];
  const officeTelephone = (office: number) => `+35121${String(1_000_000 + office)}`;
  const place = (office: number) => ({
    office,
    phone: officeTelephone(office),
    address: { city: `City ${office % 12}` },
  });
  const mailbox = (name: string) =>
    `${name}${next()}`
      .toLowerCase()
      .normalize('NFD')
      .replaceAll(/[^a-z0-9]/g, '');
  const emailOf = (name: string) => `${mailbox(name)}@${chance(0.4) ? 'gmail.com' : 'example.com'}`;

  const personOf = (firstName: string, lastName: string): Person => ({
    firstName,
    lastName,
    ...place(Math.floor(random() * offices)),
    ...(chance(0.8) && { mobilePhone: mobile() }),
    ...(chance(0.8) && { email: emailOf(lastName) }),
    ...(chance(0.6) && { licenses: license() }),
  });

  /** The address of a mailbox in another form, if the provider has other forms. */
  const otherForm = (email: unknown) => {
    if (typeof email !== 'string' || !email.endsWith('@gmail.com')) return undefined;
    const [name = ''] = email.split('@');
    return chance(0.5) ? `${name}+home@gmail.com` : `${name.slice(0, 2)}.${name.slice(2)}@gmail.com`;
  };

  /** Another record of a person: in another office or the same, with one at least of what identifies them. */
  const again = (person: Person, names: { firstName: string; lastName: string }): Person => {
    const same = otherForm(person.email);
    const copy: Person = {
      ...names,
      ...(chance(0.6)
        ? { office: person.office, phone: person.phone, address: person.address }
        : place(Math.floor(random() * offices))),
      ...(person.mobilePhone !== undefined && chance(0.75) && { mobilePhone: person.mobilePhone }),
      ...(person.licenses !== undefined && chance(0.7) && { licenses: person.licenses }),
      ...(same !== undefined
        ? chance(0.6) && { email: same }
        : chance(0.3) && { email: emailOf(names.lastName) }),
    };
    const isKnown =
      copy.mobilePhone !== undefined ||
      copy.licenses !== undefined ||
      (same !== undefined && copy.email === same);
    if (isKnown) return copy;
    person.mobilePhone ??= mobile();
    return { ...copy, mobilePhone: person.mobilePhone };
  };

  const typo = (word: string) => {
    const at = 1 + Math.floor(random() * (word.length - 1));
    const kind = random();
    if (kind < 0.35) return word.slice(0, at) + word.slice(at + 1);
    if (kind < 0.7) return word.slice(0, at) + pick([...'aeinrst']) + word.slice(at);
    return word.slice(0, at - 1) + word[at] + word[at - 1] + word.slice(at + 1);
  };

  const people: Person[] = [];
  const duplicates: People['duplicates'] = [];
  const addPair = (kind: string, one: Person, other: Person) => {
    people.push(one, other);
    duplicates.push({ kind, pair: [people.length - 2, people.length - 1] });
  };
  const makers: (() => void)[] = [
    () => {
      const person = personOf(pick(given), pick(family));
      const isFirst = chance(0.5);
      const firstName = isFirst && person.firstName.length > 3 ? typo(person.firstName) : person.firstName;
      addPair(
        'typo',
        person,
        again(person, { firstName, lastName: isFirst ? person.lastName : typo(person.lastName) }),
      );
    },
    () => {
      const person = personOf(pick(given), pick(family));
      addPair(
        'order of names',
        person,
        again(person, { firstName: person.lastName, lastName: person.firstName }),
      );
    },
    () => {
      const names = pick(russian);
      const person = personOf(names[0], names[1]);
      const isFirst = chance(0.5);
      const written = isFirst
        ? { firstName: names[2], lastName: names[3] }
        : { firstName: names[4], lastName: names[5] };
      addPair('transliteration', person, again(person, written));
    },
    () => {
      const person = personOf(pick(given), pick(family));
      addPair('married name', person, again(person, { firstName: person.firstName, lastName: pick(family) }));
    },
    () => {
      const person = personOf(pick(given), pick(family));
      addPair('same name', person, again(person, { firstName: person.firstName, lastName: person.lastName }));
    },
  ];
  const home = () => ({ line1: `Rua ${next()}`, postalCode: `1${next()}`, city: pick(['Lisboa', 'Porto']) });
  const alike: (() => void)[] = [
    // Twins, who live and work together.
    () => {
      const one = personOf(pick(given), pick(family));
      const shared = {
        lastName: one.lastName,
        address: home(),
        directPhone: mobile(),
        office: one.office,
        phone: one.phone,
      };
      people.push(
        { ...one, ...shared },
        { ...personOf(pick(given.filter((name) => name !== one.firstName)), one.lastName), ...shared },
      );
    },
    // Father and son of one name at one address.
    () => {
      const father = personOf(pick(given), pick(family));
      const shared = { address: home(), directPhone: mobile() };
      const son = personOf(father.firstName, father.lastName);
      const own = (person: Person) => ({ ...person, ...shared, mobilePhone: mobile(), licenses: license() });
      people.push(own(father), { ...own(son), ...(chance(0.7) && { nameSuffix: 'Jr.' }) });
    },
    // Namesakes in one office.
    () => {
      const one = personOf(pick(given), pick(family));
      const other = {
        ...personOf(one.firstName, one.lastName),
        office: one.office,
        phone: one.phone,
        address: one.address,
      };
      people.push(
        { ...one, licenses: license(), mobilePhone: mobile() },
        { ...other, licenses: license(), mobilePhone: mobile() },
      );
    },
  ];
  while (people.length < count) {
    const kind = random();
    if (kind < 0.25) pick(makers)();
    else if (kind < 0.32) pick(alike)();
    else people.push(personOf(pick(given), pick(family)));
  }
  return { people, duplicates };
}
