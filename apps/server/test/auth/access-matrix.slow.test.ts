import { describeAccessMatrix } from '../support/auth/access-matrix.ts';

describeAccessMatrix('all');
