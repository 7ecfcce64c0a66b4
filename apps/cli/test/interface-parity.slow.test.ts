import { describeAllCases } from './support/parity/suite.ts';

describeAllCases();
