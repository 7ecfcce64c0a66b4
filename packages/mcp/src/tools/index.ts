import { create, deactivate, reactivate, revert, transfer, update } from './change.ts';
import { findAgents, findOffices, licensesExpiring, officeRoster } from './find.ts';
import { importDryRun } from './import.ts';
import { getRecord, history, stats } from './read.ts';
import type { MakeTool } from './tool.ts';

/** All tools, in the order in which they are listed. */
export const tools: readonly MakeTool[] = [
  findAgents,
  findOffices,
  getRecord,
  officeRoster,
  history,
  licensesExpiring,
  stats,
  create,
  update,
  transfer,
  deactivate,
  reactivate,
  revert,
  importDryRun,
];
