import type { MakeTool } from '../tool.ts';
import { create, deactivate, reactivate, revert, update } from './change.ts';
import { findDuplicates, merge } from './duplicates.ts';
import { findTools, licensesExpiring } from './find.ts';
import { importDryRun } from './import.ts';
import { getRecord, history, stats } from './read.ts';
import { officeRoster, transfer } from './relations.ts';

/** All tools, in the order in which they are listed. */
export const tools: readonly MakeTool[] = [
  ...findTools,
  getRecord,
  officeRoster,
  history,
  licensesExpiring,
  findDuplicates,
  stats,
  create,
  update,
  transfer,
  deactivate,
  reactivate,
  revert,
  merge,
  importDryRun,
];
