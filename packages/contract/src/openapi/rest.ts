/** OpenAPI 3.1 of `/rest/v1`, made of the tables and procedures of the contract. Pure. */
import { z } from 'zod';
import { type Column, type Columns, decimal, rowSchema } from '../columns.ts';
import { proceduresBySubject } from '../procedures/index.ts';
import type { Procedure } from '../procedures/procedure.ts';
import { type ApiKeyScope, type Role, roles } from '../roles.ts';
import { type Access, type Table, tables } from '../tables/index.ts';
import {
  component,
  createSchemas,
  type DescribedServer,
  errorTable,
  type JsonSchema,
  jsonContent,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type PathItem,
  type Reference,
  type Security,
} from './document.ts';

const session: Security = { publicKey: [], session: [] };
const anonymous: Security = { publicKey: [] };
const apiKey: Security = { apiKeyToken: [] };
const securityOf = (callers: readonly Role[], scope: ApiKeyScope | undefined): readonly Security[] => [
  ...(callers.some((role) => role !== 'anon') ? [session] : []),
  ...(scope === undefined ? [] : [apiKey]),
  ...(callers.includes('anon') ? [anonymous] : []),
];
const scopeText = (scope: ApiKeyScope | undefined): string =>
  scope === undefined ? 'No API key may do this.' : `An API key needs the scope \`${scope}\`.`;

const refusals = {
  '400': component('responses', 'Refused'),
  '401': component('responses', 'NotSignedIn'),
  '403': component('responses', 'NotAllowed'),
  '429': component('responses', 'TooMany'),
  '503': component('responses', 'Unavailable'),
} as const;

type Schemas = ReturnType<typeof createSchemas>;

/** `open_position` is "Open position". */
function titleOf(name: string): string {
  const title = name
    .replaceAll('_', ' ')
    .replace(/\bkyc\b/, 'KYC')
    .replace(/\bapi\b/, 'API');
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}`;
}

function procedurePath(subject: string, procedure: Procedure, schemas: Schemas): PathItem {
  const { name, kind, apiKey: scope, whileImpersonating, roles: callers } = procedure;
  const args = schemas.sent(procedure.args);
  const shared = {
    tags: [subject],
    summary: titleOf(name),
    description: [
      kind === 'command' ? 'A command.' : 'A query.',
      `For ${callers.join(', ')}.`,
      scopeText(scope),
      ...(whileImpersonating === 'allowed' ? [] : ['Refused during impersonation.']),
    ].join(' '),
    security: securityOf(callers, scope),
    responses: {
      '200': { description: 'The result.', content: jsonContent(schemas.answered(procedure.result)) },
      ...refusals,
    },
    'x-kind': kind,
    'x-roles': callers,
    'x-api-key-scope': scope ?? null,
    'x-while-impersonating': whileImpersonating ?? 'refused',
  } as const;
  const post: Operation = {
    operationId: name,
    ...shared,
    requestBody: { required: true, content: jsonContent(args) },
  };
  if (kind === 'command') return { post };
  const parameter: Parameter = {
    ...{ name: 'arguments', in: 'query', schema: args },
    description: 'Each argument as a parameter of its own; `null` is none.',
  };
  return { post, get: { operationId: `${name}_get`, ...shared, parameters: [parameter] } };
}

type Use = 'select' | 'insert' | 'update' | 'delete';
const uses = { get: 'select', post: 'insert', patch: 'update', delete: 'delete' } as const satisfies Record<
  string,
  Use
>;
const verbs: Readonly<Record<Use, string>> = {
  select: 'Read rows of',
  insert: 'Insert rows into',
  update: 'Update rows of',
  delete: 'Delete rows of',
};
const accessOf = (table: Table, role: Role, use: Use) => (table.access[role] as Access | undefined)?.[use];

/** Per role, which rows; of a command the columns that it takes. */
function accessByRole(table: Table, use: Use): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    roles.flatMap((role) => {
      const access = accessOf(table, role, use);
      return access ? [[role, access] as const] : [];
    }),
  );
}
function rowsText(table: Table, use: Use): string {
  const byRole = roles.flatMap((role) => {
    const access = accessOf(table, role, use);
    if (!access) return [];
    return [`${role} (${'rows' in access ? access.rows.replace('+', ', ') : 'command'})`];
  });
  return `For ${byRole.join(', ')}.`;
}

/** What a column takes when it is written: decimals also as text. */
function writtenSchema({ type, nullable, values }: Column, schemas: Schemas): JsonSchema {
  if (type !== 'numeric')
    return schemas.sent(rowSchema({ value: { type, nullable, ...(values && { values }) } }).shape.value);
  return schemas.sent(nullable ? decimal.nullable() : decimal);
}
function writtenBody(table: Table, use: 'insert' | 'update', schemas: Schemas): JsonSchema {
  const declared: Columns = { ...table.columns, ...table.inputs };
  const names = new Set(
    roles
      .flatMap((role) => accessOf(table, role, use))
      .flatMap((access) => (access && 'columns' in access ? [...access.columns] : [])),
  );
  const properties = Object.fromEntries(
    [...names].map((name) => [name, writtenSchema(declared[name] as Column, schemas)]),
  );
  return { type: 'object', properties, additionalProperties: false };
}

const query = (name: string, description: string, schema: JsonSchema = { type: 'string' }): Parameter => ({
  ...{ name, in: 'query', description, schema },
});
const shared: Readonly<Record<string, Parameter>> = {
  select: query('select', 'Columns, and embeds such as `user:users(username)`; default `*`.'),
  order: query('order', 'Such as `created_at.desc,id`; at most five terms.'),
  limit: query('limit', 'At most 1,000 rows.', { type: 'integer', minimum: 0 }),
  offset: query('offset', 'Rows to skip.', { type: 'integer', minimum: 0, maximum: 1_000_000 }),
  or: query('or', 'One of several conditions, such as `(symbol.eq.BTCUSDT,size.gt.1)`.'),
  and: query('and', 'All of several conditions.'),
  on_conflict: query('on_conflict', 'The key of an upsert.'),
  columns: query('columns', 'The columns that rows of the body have; others are ignored.'),
  prefer: {
    ...{ name: 'Prefer', in: 'header', schema: { type: 'string' } },
    description:
      '`return=representation` answers the rows, `count=exact` counts them, `resolution=merge-duplicates` or `ignore-duplicates` upserts.',
  },
  range: {
    ...{ name: 'Range', in: 'header', schema: { type: 'string' } },
    description: 'Such as `0-99`, instead of `limit` and `offset`.',
  },
};
const referTo = (...names: (keyof typeof shared & string)[]): Reference[] =>
  names.map((name) => component('parameters', name));

const filterable = (table: Table, use: Use): Parameter[] => {
  const inRows = use === 'insert' ? [] : Object.keys(table.columns);
  return inRows
    .filter((column) =>
      roles.some((role) => {
        const columns = table.access[role]?.select?.columns ?? [];
        return columns === '*' || columns.includes(column);
      }),
    )
    .map((column) => ({
      ...{ name: column, in: 'query' as const, schema: { type: 'string' } },
      description: `A filter, such as \`eq.…\` (${table.columns[column]?.type}).`,
    }));
};
const parametersByUse: Readonly<Record<Use, readonly Reference[]>> = {
  select: referTo('select', 'order', 'limit', 'offset', 'or', 'and', 'prefer', 'range'),
  insert: referTo('select', 'columns', 'on_conflict', 'prefer'),
  update: referTo('select', 'or', 'and', 'prefer'),
  delete: referTo('select', 'or', 'and', 'prefer'),
};

const contentRange = {
  'Content-Range': {
    description: 'Such as `0-24/*`, with the total where it was requested.',
    schema: { type: 'string' },
  },
} as const;

function answersOf(use: Use, rows: JsonSchema): Operation['responses'] {
  const content = jsonContent(rows);
  const headers = contentRange;
  switch (use) {
    case 'select':
      return {
        '200': { description: 'The rows.', headers, content },
        '206': { description: 'The rows of a page; there may be more.', headers, content },
      };
    case 'insert':
      return { '201': { description: 'Inserted; the rows where they were requested.', content } };
    default:
      return {
        '200': { description: 'Done; the rows that were requested.', content },
        '204': { description: 'Done.' },
      };
  }
}

function tableOperation(table: Table, use: Use, schemas: Schemas): Operation {
  const callers = roles.filter((role) => accessOf(table, role, use) !== undefined);
  const scope = table.access.trader?.apiKey?.[use];
  const row = component('schemas', table.name) as unknown as JsonSchema;
  const body = use === 'insert' || use === 'update' ? writtenBody(table, use, schemas) : null;
  const schema = use === 'insert' ? { anyOf: [body, { type: 'array', items: body, maxItems: 100 }] } : body;
  return {
    operationId: `${use}_${table.name}`,
    tags: [table.name],
    summary: `${verbs[use]} ${table.name}`,
    description: [
      rowsText(table, use),
      scopeText(scope),
      ...(use === 'update' || use === 'delete' ? ['A filter is needed.'] : []),
    ].join(' '),
    security: securityOf(callers, scope),
    parameters: [...parametersByUse[use], ...filterable(table, use)],
    ...(schema && { requestBody: { required: true, content: jsonContent(schema) } }),
    responses: { ...answersOf(use, { type: 'array', items: row }), ...refusals },
    'x-access': accessByRole(table, use),
    'x-api-key-scope': scope ?? null,
  };
}

function tablePath(table: Table, schemas: Schemas): PathItem {
  return Object.fromEntries(
    Object.entries(uses).flatMap(([method, use]) =>
      roles.some((role) => accessOf(table, role, use)) ? [[method, tableOperation(table, use, schemas)]] : [],
    ),
  );
}

const introduction = `Tables and procedures, in the protocol that \`@supabase/supabase-js\` speaks. A caller's role and account come from
the token. What a role may not use is refused with 401 without a session, 403 with one; a row out of reach does not exist.
Amounts are JSON numbers, and may be sent as decimal strings.

## Errors

Every error is \`{code, message, details, hint}\`.
`;

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  details: z.string().nullable(),
  hint: z.string().nullable(),
});
const refusal = (description: string) => ({
  description,
  content: jsonContent(component('schemas', 'Error') as unknown as JsonSchema),
});
const retryAfter = { 'Retry-After': { description: 'Seconds.', schema: { type: 'integer' } } } as const;

/** Every declared use of a table, and every procedure, once. */
export function describeRest({ version, errors }: DescribedServer): OpenApiDocument {
  const schemas = createSchemas({ Error: errorSchema });
  schemas.answered(errorSchema);
  const described = tables as readonly Table[];
  const rows = described.map((table): [string, JsonSchema] => [
    table.name,
    schemas.answered(rowSchema(table.columns)),
  ]);
  const paths = Object.fromEntries<PathItem>([
    ...described.map((table): [string, PathItem] => [`/rest/v1/${table.name}`, tablePath(table, schemas)]),
    ...proceduresBySubject.flatMap(([subject, declared]) =>
      declared.map((procedure: Procedure): [string, PathItem] => [
        `/rest/v1/rpc/${procedure.name}`,
        procedurePath(subject, procedure, schemas),
      ]),
    ),
  ]);
  return {
    openapi: '3.1.0',
    info: { title: 'Fulcrum REST API', version, description: introduction + errorTable(errors) },
    servers: [{ url: '/' }],
    tags: [
      ...proceduresBySubject.map(([name]) => ({ name, description: 'Procedures.' })),
      ...described.map(({ name }) => ({ name, description: 'A table.' })),
    ],
    paths,
    components: {
      schemas: { ...schemas.components(), ...Object.fromEntries(rows) },
      parameters: shared,
      responses: {
        Refused: refusal('Refused; nothing was done.'),
        NotSignedIn: refusal('No session, or a token or key that is not valid.'),
        NotAllowed: refusal('The role or the scope does not suffice.'),
        TooMany: { ...refusal('More requests than allowed.'), headers: retryAfter },
        Unavailable: { ...refusal('Busy, or trading is halted; try again.'), headers: retryAfter },
      },
      securitySchemes: {
        publicKey: {
          ...{ type: 'apiKey', in: 'header', name: 'apikey' },
          description: 'The public key of the installation, `anonKey` of `/config.json`.',
        },
        session: {
          ...{ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          description: 'The access token of a session; it means one account.',
        },
        apiKeyToken: {
          ...{ type: 'http', scheme: 'bearer' },
          description: '`<api_key>.<secret>` of Account Settings, API keys. It needs no `apikey` header.',
        },
      },
    },
  };
}
