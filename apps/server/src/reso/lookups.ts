import { countries } from '@roster/api/server';

/** One value of a lookup: as the Data Dictionary writes it, and as records of the API have it. */
interface LookupValue {
  standard: string;
  own: string;
}

/** A closed list of values, which fields show as strings (string enumerations). */
export interface Lookup {
  name: string;
  values: readonly LookupValue[];
  /** Whether records have other texts for its values, so that conditions have to be converted. */
  isConverted: boolean;
}

function lookup(name: string, values: Record<string, string>): Lookup {
  const entries = Object.entries(values).map(([standard, own]) => ({ standard, own }));
  return { name, values: entries, isConverted: entries.some(({ standard, own }) => standard !== own) };
}

const statuses = { Active: 'active', Inactive: 'inactive' };

/**
 * The lookups of the fields whose values Roster knows. Each order of the standard values is that of the records' own, so that
 * both sort alike.
 */
export const lookups = {
  MemberStatus: lookup('MemberStatus', statuses),
  OfficeStatus: lookup('OfficeStatus', statuses),
  OfficeBranchType: lookup('OfficeBranchType', {
    Branch: 'branch',
    Main: 'main',
    'Stand Alone': 'stand_alone',
  }),
  Country: lookup('Country', Object.fromEntries(Array.from(countries, (code) => [code, code]))),
};

/** The regions of countries that the Data Dictionary has, of the United States and of Canada. */
const regions =
  'AB AK AL AR AZ BC CA CO CT DC DE FL GA HI IA ID IL IN KS KY LA MA MB MD ME MI MN MO MS MT NB NC ND NE NF NH NJ NM NS NT ' +
  'NU NV NY OH OK ON OR PA PE QC RI SC SD SK TN TX UT VA VI VT WA WI WV WY YT';

/**
 * The lookups of the fields that are free texts in Roster: their values are those that records have. Here are the ones of the Data
 * Dictionary, which say of themselves that they are standard. Languages are BCP 47 tags, and counties what people call them.
 */
export const openLookups: Readonly<Record<string, ReadonlySet<string>>> = {
  MemberType: new Set([
    ...['Affiliate', 'Assistant', 'Association Staff', 'Designated REALTOR Appraiser', 'Leasing Agent'],
    ...['Designated REALTOR Participant', 'Licensed Assistant', 'MLS Only Appraiser', 'MLS Only Broker'],
    ...[
      'MLS Only Broker Associate',
      'MLS Only Salesperson',
      'MLS Staff',
      'Non Member/Vendor',
      'Photographer',
    ],
    ...['Office Manager', 'REALTOR Appraiser', 'REALTOR Broker Associate', 'REALTOR Salesperson'],
    'Unlicensed Assistant',
  ]),
  OfficeType: new Set([
    ...[
      'Affiliate',
      'Appraiser',
      'Association',
      'MLS',
      'MLS Only Branch',
      'MLS Only Firm',
      'MLS Only Office',
    ],
    ...['Non Member/Vendor', 'Realtor Branch Office', 'Realtor Firm', 'Realtor Office'],
  ]),
  MemberDesignation: new Set([
    "Accredited Buyer's Representative / ABR",
    'Accredited Land Consultant / ALC',
    'At Home With Diversity / AHWD',
    'Certified Commercial Investment Member / CCIM',
    'Certified Distressed Property Expert / CDPE',
    'Certified International Property Specialist / CIPS',
    'Certified Property Manager / CPM',
    'Certified Real Estate Brokerage Manager / CRB',
    'Certified Real Estate Team Specialist / C-RETS',
    'Certified Residential Specialist / CRS',
    'Counselor of Real Estate / CRE',
    'e-PRO',
    'General Accredited Appraiser / GAA',
    'Graduate, REALTOR Institute / GRI',
    'Military Relocation Professional / MRP',
    "NAR's Green Designation / GREEN",
    'Performance Management Network / PMN',
    'Pricing Strategy Advisor / PSA',
    'Real Estate Negotiation Expert / RENE',
    'REALTOR Association Certified Executive / RCE',
    'Residential Accredited Appraiser / RAA',
    'Resort & Second-Home Property Specialist / RSPS',
    'Seller Representative Specialist / SRS',
    'Seniors Real Estate Specialist / SRES',
    'Short Sales & Foreclosure Resource / SFR',
    'Society of Industrial and Office REALTORS / SIOR',
    'Transnational Referral Certification / TRC',
  ]),
  StateOrProvince: new Set(regions.split(' ')),
  CountyOrParish: new Set(),
  Languages: new Set(),
};

/** The value of a record in the words of the standard. */
export function standardOf({ values }: Lookup, own: unknown): unknown {
  return values.find((value) => value.own === own)?.standard ?? own;
}

/** The value of records for a word of the standard; undefined if the lookup does not have it. */
export function ownOf({ values }: Lookup, standard: unknown): string | undefined {
  return values.find((value) => value.standard === standard)?.own;
}
