/**
 * Prints the JSON Schema of a procedure's arguments or result as a TypeScript type. It supports the output of zod for
 * the contract's schemas. Any other construct throws, so that it is added here and not typed as `unknown`.
 */
import { z } from 'zod';

type JsonSchema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function schemaAt(schema: JsonSchema, key: string): JsonSchema {
  const value = schema[key];
  if (!isSchema(value)) throw new Error(`no schema under "${key}": ${JSON.stringify(schema)}`);
  return value;
}

const printLiteral = (value: unknown): string =>
  typeof value === 'string'
    ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
    : JSON.stringify(value);

function printObject(schema: JsonSchema, indent: string): string {
  const properties = Object.entries(schemaAt(schema, 'properties'));
  if (properties.length === 0) return 'Record<string, never>';
  const required = Array.isArray(schema.required) ? schema.required : [];
  const inner = `${indent}  `;
  const lines = properties.map(([name, property]) => {
    if (!isSchema(property)) throw new Error(`property "${name}" has no schema`);
    return `${inner}${name}${required.includes(name) ? '' : '?'}: ${print(property, inner)};`;
  });
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function printUnion(members: readonly unknown[], indent: string): string {
  const printed = members.map((member) => {
    if (!isSchema(member)) throw new Error('a union member has no schema');
    return print(member, indent);
  });
  return [...new Set(printed)].join(' | ');
}

function printArray(schema: JsonSchema, indent: string): string {
  const item = print(schemaAt(schema, 'items'), indent);
  return item.includes(' | ') && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
}

function print(schema: JsonSchema, indent: string): string {
  if (Array.isArray(schema.anyOf)) return printUnion(schema.anyOf, indent);
  if (Array.isArray(schema.enum)) return schema.enum.map(printLiteral).join(' | ');
  if ('const' in schema) return printLiteral(schema.const);
  if (Array.isArray(schema.type))
    return printUnion(
      schema.type.map((type) => ({ ...schema, type })),
      indent,
    );
  switch (schema.type) {
    case 'object':
      return printObject(schema, indent);
    case 'array':
      return printArray(schema, indent);
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return String(schema.type);
    default:
      throw new Error(`no TypeScript type for ${JSON.stringify(schema)}`);
  }
}

/** The type of what a client sends (`input`) or receives (`output`), its further lines indented by `indent`. */
export function typeOfSchema(schema: z.ZodType, io: 'input' | 'output', indent: string): string {
  return print(z.toJSONSchema(schema, { io }), indent);
}
