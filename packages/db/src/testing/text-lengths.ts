const addressLengths = (prefix: string) =>
  Object.fromEntries(
    Object.entries({ line1: 100, line2: 100, city: 100, county: 100, region: 3, postal_code: 16 }).map(
      ([part, length]) => [`${prefix}_${part}`, length],
    ),
  );
const lengthsOfAll = {
  status_reason: 500,
  mls_id: 50,
  phone: 32,
  phone_ext: 10,
  fax: 32,
  email: 254,
  website: 2048,
  ...addressLengths('address'),
};
const lengthsOfBoth = { ...lengthsOfAll, type: 50, national_association_id: 50, bio: 4000 };
/** The maximum length of each text column, in characters. */
export const lengths: Record<'office' | 'agent' | 'team', Record<string, number>> = {
  office: {
    ...lengthsOfBoth,
    name: 255,
    legal_name: 255,
    franchise: 100,
    time_zone: 64,
    ...addressLengths('mailing_address'),
  },
  agent: {
    ...lengthsOfBoth,
    first_name: 100,
    last_name: 100,
    middle_name: 100,
    nickname: 100,
    name_prefix: 20,
    name_suffix: 20,
    display_name: 255,
    title: 100,
    mobile_phone: 32,
    direct_phone: 32,
    photo_url: 2048,
  },
  team: {
    ...lengthsOfAll,
    name: 255,
    description: 4000,
    office_phone: 32,
    office_phone_ext: 10,
    mobile_phone: 32,
    direct_phone: 32,
    toll_free_phone: 32,
  },
};
