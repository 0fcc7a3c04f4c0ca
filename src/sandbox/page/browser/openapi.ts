import { ask } from './api.ts';
import { button, type Child, code, h, small, type View } from './dom.ts';

/** A part of the document; numbers are texts, so that they keep their digits. */
type Part = Readonly<Record<string, unknown>>;

const REFERENCE = '#/components/schemas/';

/** The view of the service's OpenAPI document, read once. */
export function openApiView(): View {
  let known: Part | undefined;
  return {
    title: 'API',
    load: async () => {
      known ??= JSON.parse(await ask('GET', '/openapi'), exactNumbers) as Part;
      const document = known;
      const parts = () => [overview(document), operations(document), schemas(document)];
      return { state: 'api', render: () => h('div', { class: 'api', 'data-key': 'api' }, parts()) };
    },
    actions: {
      'open-schema': async (name) => {
        const found = document.getElementById(`schema-${name}`);
        found?.setAttribute('open', '');
        found?.querySelector('summary')?.focus();
        return null;
      },
    },
  };
}

function exactNumbers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' ? (context?.source ?? String(value)) : value;
}

function overview(document: Part): Child {
  const info = part(document['info']);
  const schemes = Object.values(part(part(document['components'])['securitySchemes'])).map(part);
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, `${word(info['title'])} ${word(info['version'])}`),
    h('p', {}, 'Every request carries three headers:'),
    h(
      'dl',
      {},
      schemes.map((scheme) => [
        h('dt', {}, code(word(scheme['name']))),
        h('dd', {}, word(scheme['description'])),
      ]),
    ),
  );
}

function operations(document: Part): Child {
  return Object.entries(part(document['paths'])).flatMap(([path, item]) =>
    Object.entries(part(item)).map(([method, operation]) => {
      const { summary, description, parameters, requestBody, responses } = part(operation);
      return h(
        'details',
        { class: 'card' },
        h('summary', {}, h('b', {}, method.toUpperCase()), ' ', code(path), small(word(summary))),
        h('p', {}, word(description)),
        assumed(part(operation)),
        Array.isArray(parameters) ? [h('h3', {}, 'Parameters'), parameterList(parameters.map(part))] : null,
        requestBody === undefined ? null : [h('h3', {}, 'Body'), schemaOf(bodySchema(requestBody))],
        h('h3', {}, 'Answers'),
        h(
          'dl',
          {},
          Object.entries(part(responses)).map(([status, response]) => [
            h('dt', {}, status),
            h('dd', {}, answer(part(response))),
          ]),
        ),
      );
    }),
  );
}

function answer(response: Part): Child {
  const schema = bodySchema(response);
  return [
    h('p', {}, word(response['description'])),
    assumed(response),
    Object.keys(schema).length === 0 ? null : schemaOf(schema),
  ];
}

function bodySchema(holder: unknown): Part {
  return part(part(part(part(holder)['content'])['application/json'])['schema']);
}

function parameterList(parameters: readonly Part[]): Child {
  return h(
    'ul',
    { class: 'schema' },
    parameters.map((parameter) =>
      member(word(parameter['name']), part(parameter['schema']), parameter['required'] === true, parameter),
    ),
  );
}

function schemas(document: Part): Child {
  const all = Object.entries(part(part(document['components'])['schemas']));
  return [
    h('h2', {}, 'Schemas'),
    all.map(([name, schema]) => {
      const summary = h('summary', {}, code(name));
      return h('details', { class: 'card', id: `schema-${name}` }, summary, schemaOf(part(schema)));
    }),
  ];
}

/** A schema as a list of its members. */
function schemaOf(schema: Part): Child {
  const reference = schema['$ref'];
  if (typeof reference === 'string') return referenceTo(reference);
  const { oneOf, properties, items, required } = schema;
  if (Array.isArray(oneOf))
    return h(
      'ul',
      { class: 'schema' },
      oneOf.map((each, index) => h('li', {}, index === 0 ? 'either ' : 'or ', schemaOf(part(each)))),
    );
  if (items !== undefined) return ['a list of ', schemaOf(part(items))];
  if (properties === undefined) return small(typeOf(schema));
  const names = Array.isArray(required) ? required : [];
  return h(
    'ul',
    { class: 'schema' },
    Object.entries(part(properties)).map(([name, each]) =>
      member(name, part(each), names.includes(name), part(each)),
    ),
  );
}

function member(
  name: string,
  schema: Part,
  isRequired: boolean,
  { description, example }: Part,
): HTMLElement {
  const isNested = ['properties', 'items', 'oneOf', '$ref'].some((key) => schema[key] !== undefined);
  return h(
    'li',
    {},
    code(name),
    small(` ${typeOf(schema)}${isRequired ? '' : ', optional'}`),
    description === undefined ? null : h('p', {}, word(description)),
    example === undefined ? null : h('p', { class: 'small' }, 'such as ', code(word(example))),
    assumed(schema),
    isNested ? schemaOf(schema) : null,
  );
}

function typeOf(schema: Part): string {
  const { type, enum: values, pattern, minimum, maximum } = schema;
  const bounds = [
    Array.isArray(values) ? `one of ${values.map(word).join(', ')}` : '',
    pattern === undefined ? '' : `of the form ${word(pattern)}`,
    minimum === undefined ? '' : `from ${word(minimum)}`,
    maximum === undefined ? '' : `to ${word(maximum)}`,
  ].filter((text) => text !== '');
  const name = Array.isArray(type) ? type.map(word).join(' or ') : word(type ?? '');
  return [name, ...bounds].filter((text) => text !== '').join(', ');
}

function referenceTo(reference: string): HTMLElement {
  const name = reference.slice(REFERENCE.length);
  return button(name, 'open-schema', name, { class: 'link' });
}

function assumed(holder: Part): Child {
  const words = holder['x-assumed'];
  return words === undefined ? null : h('p', { class: 'assumed' }, `Assumed: ${word(words)}`);
}

function part(value: unknown): Part {
  return typeof value === 'object' && value !== null ? (value as Part) : {};
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
