import { describeAllCases } from '../test/support/parity/suite.ts';

describeAllCases();
