import { describeAccessMatrix } from '../support/access-matrix.ts';

describeAccessMatrix('few');
