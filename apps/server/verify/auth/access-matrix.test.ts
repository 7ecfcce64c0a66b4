import { describeAccessMatrix } from '../../test/support/auth/access-matrix.ts';

describeAccessMatrix('all');
