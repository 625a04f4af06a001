/**
 * Builds `src/generated/database.ts`: the `Database` type for `createClient<Database>`, from the contract's tables
 * and procedures. `Insert` and `Update` hold what some role may write, as a row or as a claim of a command; `Row` has
 * only the columns. Known limitation: the types know no roles; the server refuses what a role may not do.
 */
import { typeOf } from '../src/columns.ts';
import { procedures } from '../src/procedures/index.ts';
import { type Table, tables } from '../src/tables/index.ts';
import { typeOfSchema } from './json-schema.ts';

const header = `/**
 * Written by \`npm run generate\` from the contract's tables and procedures; a test holds it to them. Do not edit.
 */`;

/** An object type without any key, to which only \`{}\` is assignable under supabase-js's excess-property check. */
const none = '{ [_ in never]: never }';

const objectType = (lines: readonly string[]): string =>
  lines.length === 0 ? none : `{\n${lines.map((line) => `          ${line}`).join('\n')}\n        }`;

/** The names that a write may use: the columns, and the claims that only a command accepts. */
const writable = ({ columns, inputs = {} }: Table) => Object.entries({ ...columns, ...inputs });

/**
 * Columns and claims that some role may insert. A plain insert may name the row's owner, but the token always decides
 * it. A command accepts any part of them.
 */
function insertType(table: Table): string {
  const inserts = Object.values(table.access).flatMap((access) => access.insert ?? []);
  if (inserts.length === 0) return none;
  const insertable = new Set(inserts.flatMap((insert) => insert.columns));
  const isCommand = inserts.some((insert) => insert.by === 'command');
  return objectType(
    writable(table).flatMap(([name, column]) => {
      if (name === table.owner && !insertable.has(name))
        return isCommand ? [] : [`${name}?: ${typeOf(column)};`];
      if (!insertable.has(name)) return [];
      const isRequired = !isCommand && !column.nullable && !column.hasDefault;
      return [`${name}${isRequired ? '' : '?'}: ${typeOf(column)};`];
    }),
  );
}

/** Columns and claims that some role may update. */
function updateType(table: Table): string {
  const updatable = new Set(Object.values(table.access).flatMap((access) => access.update?.columns ?? []));
  return objectType(
    writable(table).flatMap(([name, column]) =>
      updatable.has(name) ? [`${name}?: ${typeOf(column)};`] : [],
    ),
  );
}

function relationships(table: Table): string {
  const entries = Object.values(table.relations).map(
    (relation) => `
          {
            foreignKeyName: '${table.name}_${relation.column}_fkey';
            columns: ['${relation.column}'];
            isOneToOne: false;
            referencedRelation: '${relation.table}';
            referencedColumns: ['id'];
          },`,
  );
  return entries.length === 0 ? '[]' : `[${entries.join('')}\n        ]`;
}

function tableType(table: Table): string {
  const row = Object.entries(table.columns).map(([name, column]) => `          ${name}: ${typeOf(column)};`);
  return `      ${table.name}: {
        Row: {
${row.join('\n')}
        };
        Insert: ${insertType(table)};
        Update: ${updateType(table)};
        Relationships: ${relationships(table)};
      };`;
}

function functionType(procedure: (typeof procedures)[number]): string {
  return `      ${procedure.name}: {
        Args: ${typeOfSchema(procedure.args, 'input', '        ')};
        Returns: ${typeOfSchema(procedure.result, 'output', '        ')};
      };`;
}

/** The whole file. */
export function databaseTypes(): string {
  return `${header}
/** Any JSON value: what a jsonb column holds. */
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];

export type Database = {
  /** The grammar of \`/rest/v1\` is that of PostgREST 12. */
  __InternalSupabase: { PostgrestVersion: '12' };
  public: {
    Tables: {
${tables.map(tableType).join('\n')}
    };
    Views: ${none};
    Functions: {
${procedures.map(functionType).join('\n')}
    };
    Enums: ${none};
    CompositeTypes: ${none};
  };
};

export type TableName = keyof Database['public']['Tables'];
/** A row as \`/rest/v1\` answers it. */
export type Row<T extends TableName> = Database['public']['Tables'][T]['Row'];
export type FunctionName = keyof Database['public']['Functions'];
export type Args<F extends FunctionName> = Database['public']['Functions'][F]['Args'];
export type Returns<F extends FunctionName> = Database['public']['Functions'][F]['Returns'];
`;
}
