import { RecordEventType } from '@roster/api';
import { resoNames } from '@roster/import/reso-names';
import { type ResourceDefinition, toOne } from './definition.ts';
import { lookup, openLookup, shared, statuses } from './lookups.ts';

const types = [
  'Affiliate',
  'Assistant',
  'Association Staff',
  'Designated REALTOR Appraiser',
  'Leasing Agent',
  'Designated REALTOR Participant',
  'Licensed Assistant',
  'MLS Only Appraiser',
  'MLS Only Broker',
  'MLS Only Broker Associate',
  'MLS Only Salesperson',
  'MLS Staff',
  'Non Member/Vendor',
  'Photographer',
  'Office Manager',
  'REALTOR Appraiser',
  'REALTOR Broker Associate',
  'REALTOR Salesperson',
  'Unlicensed Assistant',
];

const designations = [
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
];

/** Agents are Member. */
export const member: ResourceDefinition = {
  name: 'Member',
  resource: 'agents',
  key: 'MemberKey',
  status: 'MemberStatus',
  scopes: { read: 'agents:read', write: 'agents:write' },
  names: resoNames.agents,
  eventTypes: RecordEventType.options.filter((type) => type.startsWith('agent.')),
  days: ['MemberTransferDate'],
  lookups: { MemberStatus: lookup('MemberStatus', statuses), MemberCountry: shared.Country },
  openLookups: {
    MemberType: openLookup('MemberType', types),
    MemberDesignation: openLookup('MemberDesignation', designations),
    MemberLanguages: shared.Languages,
    MemberStateOrProvince: shared.StateOrProvince,
    MemberStateLicenseState: shared.StateOrProvince,
    MemberCountyOrParish: shared.CountyOrParish,
  },
  navigation: [toOne('Office', 'Office', 'officeId')],
};
