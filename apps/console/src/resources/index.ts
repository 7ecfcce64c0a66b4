import { msg } from '@lingui/core/macro';
import { contracts, fieldOf, type ResourceName, resourceNames } from '../api/contract/contracts.ts';
import { agents } from './agents.ts';
import type { FieldGroup, Relation, ResourceDefinition } from './definition.ts';
import { offices } from './offices.ts';
import { lastColumns } from './shared-labels.ts';
import { teams } from './teams.ts';

export { memberParts, memberRoles } from './teams.ts';

export const resources: Readonly<Record<ResourceName, ResourceDefinition>> = { agents, offices, teams };

export function isResourceName(text: unknown): text is ResourceName {
  return typeof text === 'string' && Object.hasOwn(resources, text);
}

export function resourceOfEvent(type: string): ResourceName | undefined {
  const [kind] = type.split('.', 1);
  return resourceNames.find((name) => contracts[name].singular === kind);
}

/** All fields of a resource that can be written, in groups; those that its definition does not name are in the last one. */
export function groupsOf(resource: ResourceName): readonly FieldGroup[] {
  const { groups = [] } = resources[resource];
  const grouped = new Set(groups.flatMap(({ fields }) => fields));
  const others = contracts[resource].fields.map(({ name }) => name).filter((name) => !grouped.has(name));
  return others.length === 0 ? groups : [...groups, { id: 'other', label: msg`Other`, fields: others }];
}

/** Whether records of a resource name those of another, which their page then shows: a team its members. */
const holds = (resource: ResourceName, other: ResourceName) =>
  contracts[resource].fields.some(({ parts = [] }) => parts.some(({ refersTo }) => refersTo === other));

export function relationsOf(resource: ResourceName): readonly Relation[] {
  const { relations = {} } = resources[resource];
  return resourceNames.flatMap((name) => {
    const filters = contracts[name].filters.filter(
      (filter) =>
        filter.refersTo === resource &&
        filter.name !== 'ids' &&
        !(fieldOf(name, filter.name) === undefined && holds(resource, name)),
    );
    return filters.map(({ name: field }) => ({
      id: `${name}-${field}`,
      label: resources[name].labels.many,
      resource: name,
      field,
      ...relations[`${name}.${field}`],
    }));
  });
}

export function columnsOf(resource: ResourceName): readonly string[] {
  const { first = contracts[resource].listFields, last = lastColumns } = resources[resource].columns ?? {};
  const written = contracts[resource].fields.flatMap(({ name, kind, parts = [] }) =>
    kind === 'object' ? parts.map((part) => `${name}.${part.name}`) : [name],
  );
  return [...new Set([...first, ...written.filter((name) => !last.includes(name)), ...last])];
}

/** The columns that a list shows unless its URL or the browser knows others. */
export const defaultColumnsOf = (resource: ResourceName): readonly string[] =>
  contracts[resource].usualColumns;
