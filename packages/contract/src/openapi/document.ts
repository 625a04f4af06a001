/** The parts of OpenAPI 3.1 that the descriptions use, and the translation of zod schemas into it. Pure. */
import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'header';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}
export interface Reference {
  readonly $ref: string;
}
export interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}
/** What has to be sent together; several of them are alternatives. */
export type Security = Readonly<Record<string, readonly string[]>>;
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Security[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
  };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
  readonly [extension: `x-${string}`]: unknown;
}
export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
export type PathItem = Readonly<Partial<Record<Method, Operation>>>;

export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>;
  };
}

/** What the descriptions say of a server: they are of one version, and its errors are declared where they are answered. */
export interface DescribedServer {
  readonly version: string;
  readonly errors: readonly ErrorRow[];
}
export interface ErrorRow {
  readonly status: number;
  readonly code: number | string;
  /** `{…}` stands for what a text says of the request. */
  readonly message: string;
}

export const component = (kind: keyof OpenApiDocument['components'], name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
});
export const jsonContent = (schema: JsonSchema) => ({ 'application/json': { schema } });

/**
 * Translates schemas of one document. A schema that `named` has becomes a component, which others refer to. Of what is sent the
 * input side is described; of answers the output side, to which a later version may add fields.
 */
export function createSchemas(named: Readonly<Record<string, z.ZodType>> = {}) {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const components: Record<string, JsonSchema> = {};

  function translate(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema, $defs, ...root } = z.toJSONSchema(schema, {
      ...{ target: 'draft-2020-12', io, metadata: registry },
      override: ({ jsonSchema }) => {
        if (io === 'output' && jsonSchema.additionalProperties === false)
          delete jsonSchema.additionalProperties;
        delete jsonSchema.id;
      },
    }) as Record<string, unknown> & { $defs?: Record<string, JsonSchema> };
    for (const [id, definition] of Object.entries($defs ?? {})) components[id] = relinked(definition);
    const id = registry.get(schema)?.id;
    if (id === undefined) return relinked(root);
    // Of a schema that is used within itself the root refers to it already.
    components[id] ??= relinked(root);
    return component('schemas', id) as unknown as JsonSchema;
  }
  return {
    sent: (schema: z.ZodType) => translate(schema, 'input'),
    answered: (schema: z.ZodType) => translate(schema, 'output'),
    /** What was referred to so far. */
    components: (): Readonly<Record<string, JsonSchema>> => components,
  };
}

const relinked = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** The properties of an object schema, each with whether it has to be sent. */
export function propertiesOf(
  schema: JsonSchema,
): readonly { readonly name: string; readonly schema: JsonSchema; readonly required: boolean }[] {
  const { properties = {}, required = [] } = schema as {
    properties?: Record<string, JsonSchema>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    name,
    schema: property,
    required: required.includes(name),
  }));
}

/** A Markdown table of errors in their order; one that comes with several statuses is one line. */
export function errorTable(errors: readonly ErrorRow[]): string {
  const lines = Map.groupBy(
    errors,
    ({ code, message }) => `\`${code}\` | ${message.replaceAll('|', '\\|')} |`,
  );
  const statusesOf = (rows: readonly ErrorRow[]) =>
    [...new Set(rows.map(({ status }) => status))].toSorted((a, b) => a - b).join(', ');
  return [
    '| status | code | text |',
    '|---|---|---|',
    ...[...lines].map(([line, rows]) => `| ${statusesOf(rows)} | ${line}`),
  ].join('\n');
}
