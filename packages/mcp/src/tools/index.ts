import type { Rights } from '../rights.ts';
import { type ResourceName, resourceNames } from '../service.ts';
import type { MakeTool, Tool, ToolOfResources } from '../tool.ts';
import { create, deactivate, reactivate, revert, update } from './change.ts';
import { findDuplicates, merge } from './duplicates.ts';
import { findTool, licensed, licensesExpiring } from './find.ts';
import { importDryRun } from './import.ts';
import { getRecord, history, stats, statsScopes } from './read.ts';
import { officeRoster, rosterScopes, transfer, transferScopes } from './relations.ts';

type ResourcesOf = (rights: Rights) => readonly ResourceName[];

const readable: ResourcesOf = (rights) => rights.resources('read');
/** A change reads the record before. */
const changeable: ResourcesOf = (rights) => rights.resources('read', 'write');
/** The same of a caller who may read the log, which the versions of a record are in. */
const withHistory =
  (resources: ResourcesOf): ResourcesOf =>
  (rights) =>
    rights.has('events:read') ? resources(rights) : [];

/** A tool for callers who may do something with records of one resource at least. */
const forResources =
  (resources: ResourcesOf, make: ToolOfResources): MakeTool =>
  (rights) => {
    const names = resources(rights);
    return names.length === 0 ? undefined : make(names);
  };

/** A tool for callers with all of some scopes. */
const forScopes =
  (scopes: readonly string[], tool: Tool): MakeTool =>
  (rights) =>
    rights.has(...scopes) ? tool : undefined;

/** All tools with those who get them, in the order in which they are listed. */
export const tools: readonly MakeTool[] = [
  ...resourceNames.map((name) => forScopes([`${name}:read`], findTool(name))),
  forResources(readable, getRecord),
  forScopes(rosterScopes, officeRoster),
  forResources(withHistory(readable), history),
  forResources((rights) => readable(rights).filter((name) => licensed.includes(name)), licensesExpiring),
  forResources(readable, findDuplicates),
  forScopes(statsScopes, stats),
  forResources((rights) => rights.resources('write'), create),
  forResources(changeable, update),
  forScopes(transferScopes, transfer),
  forResources(changeable, deactivate),
  forResources(changeable, reactivate),
  forResources(withHistory(changeable), revert),
  forResources(changeable, merge),
  forResources((rights) => rights.resources('write').filter(rights.mayManage), importDryRun),
];
