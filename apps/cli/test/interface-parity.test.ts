import { describeFirstCases } from './support/parity/suite.ts';

describeFirstCases();
