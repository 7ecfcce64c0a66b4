import { describeAccessMatrix } from '../../test/support/access-matrix.ts';

describeAccessMatrix('all');
