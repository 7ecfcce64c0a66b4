import { describeRights } from '../support/rights-table.ts';

describeRights('others');
