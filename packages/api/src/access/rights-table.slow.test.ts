import { describeRights } from '../../test/support/rights-table.ts';

describeRights('others');
