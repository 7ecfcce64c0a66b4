import { XMLParser } from 'fast-xml-parser';

/** An element of CSDL: its attributes, and the lists of its children by their names. */
interface Element {
  [name: string]: string | Element[] | undefined;
}

interface CsdlProperty {
  name: string;
  type: string;
  nullable: boolean;
  maxLength?: number;
  precision?: number;
  annotations: Record<string, string>;
}

interface CsdlNavigation {
  name: string;
  type: string;
  isCollection: boolean;
  entityTypeName: string;
}

export interface CsdlEntityType {
  name: string;
  key: string[];
  properties: CsdlProperty[];
  navigationProperties: CsdlNavigation[];
}

export interface CsdlSchema {
  namespace: string;
  entityTypes: CsdlEntityType[];
  enumTypes: never[];
  complexTypes: never[];
  entityContainer: { name: string; entitySets: { name: string; entityType: string }[] };
}

const parser = new XMLParser({
  ignoreAttributes: false,
  ignoreDeclaration: true,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  removeNSPrefix: true,
  isArray: (_name: string, _path: string, _isLeaf: boolean, isAttribute: boolean) => !isAttribute,
});

const childrenOf = (element: Element | undefined, name: string): Element[] => {
  const children = element?.[name];
  return Array.isArray(children) ? children.filter((child) => typeof child === 'object') : [];
};

const textOf = (element: Element | undefined, name: string): string => {
  const value = element?.[name];
  return typeof value === 'string' ? value : '';
};

/** The name of a type without its namespace and `Collection(…)`. */
export function extractTypeName(type: string): string {
  return type.replace(/^Collection\((.*)\)$/, '$1').replace(/^.*\./, '');
}

function propertyOf(element: Element): CsdlProperty {
  const annotations = childrenOf(element, 'Annotation').map((one) => [
    textOf(one, 'Term'),
    textOf(one, 'String') || textOf(one, 'Bool'),
  ]);
  const [maxLength, precision] = [textOf(element, 'MaxLength'), textOf(element, 'Precision')];
  return {
    name: textOf(element, 'Name'),
    type: textOf(element, 'Type'),
    nullable: textOf(element, 'Nullable') !== 'false',
    ...(maxLength !== '' && { maxLength: Number(maxLength) }),
    ...(precision !== '' && { precision: Number(precision) }),
    annotations: Object.fromEntries(annotations),
  };
}

function entityTypeOf(element: Element): CsdlEntityType {
  return {
    name: textOf(element, 'Name'),
    key: childrenOf(childrenOf(element, 'Key')[0], 'PropertyRef').map((one) => textOf(one, 'Name')),
    properties: childrenOf(element, 'Property').map(propertyOf),
    navigationProperties: childrenOf(element, 'NavigationProperty').map((one) => ({
      name: textOf(one, 'Name'),
      type: textOf(one, 'Type'),
      isCollection: textOf(one, 'Type').startsWith('Collection('),
      entityTypeName: extractTypeName(textOf(one, 'Type')),
    })),
  };
}

/** Reads a metadata document without enumerations and complex types, as that of Roster is. */
export function parseCsdlXml(xml: string): CsdlSchema {
  const [document] = childrenOf(parser.parse(xml) as Element, 'Edmx');
  const schemas = childrenOf(childrenOf(document, 'DataServices')[0], 'Schema');
  const schema = schemas.find((one) => childrenOf(one, 'EntityType').length > 0);
  for (const name of ['EnumType', 'ComplexType'])
    if (childrenOf(schema, name).length > 0) throw new Error(`the stand-in reads no ${name}`);
  const [container] = childrenOf(schema, 'EntityContainer');
  return {
    namespace: textOf(schema, 'Namespace'),
    entityTypes: childrenOf(schema, 'EntityType').map(entityTypeOf),
    enumTypes: [],
    complexTypes: [],
    entityContainer: {
      name: textOf(container, 'Name'),
      entitySets: childrenOf(container, 'EntitySet').map((one) => ({
        name: textOf(one, 'Name'),
        entityType: textOf(one, 'EntityType'),
      })),
    },
  };
}

/** Says which names of a metadata document lead nowhere. */
export function validateCsdl({ entityTypes, entityContainer }: CsdlSchema): {
  valid: boolean;
  errors: object[];
} {
  const names = new Set(entityTypes.map(({ name }) => name));
  const errors: object[] = [];
  for (const { name, key, properties, navigationProperties } of entityTypes) {
    const known = new Set(properties.map((property) => property.name));
    for (const part of key) if (!known.has(part)) errors.push({ message: `${name} has no key ${part}` });
    for (const { entityTypeName } of navigationProperties)
      if (!names.has(entityTypeName)) errors.push({ message: `${name} leads to ${entityTypeName}` });
  }
  for (const { name, entityType } of entityContainer.entitySets)
    if (!names.has(extractTypeName(entityType))) errors.push({ message: `${name} is of ${entityType}` });
  return { valid: errors.length === 0, errors };
}
