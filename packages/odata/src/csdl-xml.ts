import type {
  Annotation,
  AnnotationValue,
  EntitySet,
  EntityType,
  Model,
  NavigationProperty,
  Property,
  Term,
} from './model.ts';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};
const escaped = (text: string) => text.replaceAll(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? '');

/** An element; attributes that are undefined are left out. */
function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([attribute, value]) => ` ${attribute}="${escaped(String(value))}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
}

/** The metadata document of a model: CSDL XML, version 4.0, which readers of 4.01 read too. */
export function csdlXml(model: Model): string {
  const references = model.vocabularies.map(({ alias, namespace, url }) =>
    element('edmx:Reference', { Uri: url }, [
      element('edmx:Include', { Namespace: namespace, Alias: alias }),
    ]),
  );
  const namespaces = [...new Set(model.terms.map(({ namespace }) => namespace))];
  const schemas = [
    schemaOf(model.namespace, [...model.types.map((type) => typeElement(type, model)), containerOf(model)]),
    ...namespaces.map((namespace) =>
      schemaOf(namespace, model.terms.filter((term) => term.namespace === namespace).map(termElement)),
    ),
  ];
  const document = element(
    'edmx:Edmx',
    { 'xmlns:edmx': 'http://docs.oasis-open.org/odata/ns/edmx', Version: '4.0' },
    [...references, element('edmx:DataServices', {}, schemas)],
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`;
}

function schemaOf(namespace: string, children: readonly string[]): string {
  return element(
    'Schema',
    { xmlns: 'http://docs.oasis-open.org/odata/ns/edm', Namespace: namespace },
    children,
  );
}

function termElement({ name, type, appliesTo }: Term): string {
  return element('Term', { Name: name, Type: type, AppliesTo: appliesTo });
}

function typeElement(
  { name, key, properties, navigation = [], annotations }: EntityType,
  model: Model,
): string {
  return element('EntityType', { Name: name }, [
    element('Key', {}, [element('PropertyRef', { Name: key })]),
    ...properties.map(propertyElement),
    ...navigation.map((property) => navigationElement(property, model)),
    ...annotationElements(annotations),
  ]);
}

function propertyElement(property: Property): string {
  const { name, type, isCollection, isNullable, maxLength, precision, annotations } = property;
  const attributes = {
    Name: name,
    Type: isCollection ? `Collection(${type})` : type,
    Nullable: isNullable ? undefined : false,
    MaxLength: maxLength,
    Precision: precision,
  };
  return element('Property', attributes, annotationElements(annotations));
}

function navigationElement(
  { name, type, isCollection, annotations }: NavigationProperty,
  { namespace }: Model,
): string {
  const target = `${namespace}.${type}`;
  const attributes = { Name: name, Type: isCollection ? `Collection(${target})` : target };
  return element('NavigationProperty', attributes, annotationElements(annotations));
}

function containerOf(model: Model): string {
  const { container, sets, annotations } = model;
  return element('EntityContainer', { Name: container }, [
    ...sets.map((set) => setElement(set, model)),
    ...annotationElements(annotations),
  ]);
}

function setElement({ name, bindings = {}, annotations }: EntitySet, { namespace }: Model): string {
  return element('EntitySet', { Name: name, EntityType: `${namespace}.${name}` }, [
    ...Object.entries(bindings).map(([path, target]) =>
      element('NavigationPropertyBinding', { Path: path, Target: target }),
    ),
    ...annotationElements(annotations),
  ]);
}

function annotationElements(annotations: readonly Annotation[] = []): string[] {
  return annotations.map(({ term, value }) => {
    const { attributes, children } = annotationValue(value);
    return element('Annotation', { Term: term, ...attributes }, children);
  });
}

/** A value of an annotation: the attribute of its element, or the elements in it. */
function annotationValue(value: AnnotationValue): { attributes: Attributes; children?: string[] } {
  if ('text' in value) return { attributes: { String: value.text } };
  if ('boolean' in value) return { attributes: { Bool: value.boolean } };
  if ('int' in value) return { attributes: { Int: value.int } };
  if ('record' in value) return { attributes: {}, children: [recordOf(value.record)] };
  const items =
    'texts' in value
      ? value.texts.map((text) => element('String', {}, [escaped(text)]))
      : value.paths.map((path) => pathElement(path, value.of));
  return { attributes: {}, children: [element('Collection', {}, items)] };
}

function pathElement(path: string, of: 'property' | 'navigation'): string {
  return element(of === 'property' ? 'PropertyPath' : 'NavigationPropertyPath', {}, [escaped(path)]);
}

function recordOf(record: Readonly<Record<string, AnnotationValue>>): string {
  const values = Object.entries(record).map(([property, value]) => {
    const { attributes, children } = annotationValue(value);
    return element('PropertyValue', { Property: property, ...attributes }, children);
  });
  return element('Record', {}, values);
}
