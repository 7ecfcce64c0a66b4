import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { ResourceDefinition } from '../engine/definition.ts';
import { agents } from './agents/definition.ts';
import { offices } from './offices/definition.ts';
import { teams } from './teams/definition.ts';

/**
 * The resources of the directory by their names. What is not of one resource iterates over them, or has a definition as an argument.
 * docs/contributing/recipes.md says what a new one needs.
 */
export const directory = { offices, agents, teams } as const satisfies Record<string, ResourceDefinition>;

export type ResourceName = keyof typeof directory;
export type Directory = typeof directory;

/** The name of each resource, in the order in which all lists have them. */
export const resourceNames = Object.keys(directory) as [ResourceName, ...ResourceName[]];

/** The names of the resources in a sentence: `offices, agents and teams`. */
export const namesText = new Intl.ListFormat('en-GB').format(resourceNames);

/** The condition that a column of that name has one of the resources that this release knows; a later one may have written others. */
export const isKnownResource = (column: string): RawBuilder<boolean> =>
  sql`${sql.ref(column)} in (${sql.join(resourceNames.map((name) => sql.lit(name)))})`;

/** A record of any resource. */
type DirectoryRecord = z.infer<Directory[ResourceName]['schemas']['record']>;

/** The definition of one of the resources of the directory. */
export type DirectoryResource<Row extends { id: string } = DirectoryRecord> = ResourceDefinition<
  Row,
  ResourceName
>;

/** The definitions, where it does not matter which resource it is. */
export const definitions: readonly DirectoryResource[] = Object.values(directory);

/** Returns the definition of a resource; of a name that the database has it is not checked whether there is one. */
export function definitionOf(name: ResourceName): DirectoryResource {
  return directory[name];
}

/**
 * Makes something of each resource. `Made` is the type of the result, by name: what is made of a definition follows from it, and the
 * compiler sees for all of them that it is one of these types, not which.
 */
export function forEachResource<Made extends Record<ResourceName, unknown>>(
  make: (definition: DirectoryResource) => unknown,
): Made {
  return Object.fromEntries(definitions.map((definition) => [definition.name, make(definition)])) as Made;
}
