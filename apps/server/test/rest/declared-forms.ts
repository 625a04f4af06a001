/**
 * What a statement of `/rest/v1` may look like: every word in it is SQL of the grammar or a name of the contract, every
 * literal a declared column's name or one of the grammar, every value a parameter. `undeclaredTokens` names what is not.
 */
import { tables as declaredTables, type Table } from '@fulcrum/contract';

const grammar = new Set(
  `select from where and or not in any all order by asc desc nulls first last limit offset as is null true false unknown
   distinct like ilike exists insert into values returning on conflict do nothing update set excluded default delete with
   join unnest ordinality coalesce json_agg json_build_object to_json trim_scale count
   text int int4 int8 uuid numeric bool date timestamptz jsonb
   cross lateral api app users other_accounts other manager_id id c k t r e m w item body rows total changed place`.split(
    /\s+/,
  ),
);

/** An empty list, and what the row policy itself compares with: a conversation that goes on. */
const policyLiterals = new Set(['[]', 'open']);

/** Words, signs and literals of `text` that no declared form has; empty for a statement of a declared form. */
export function undeclaredTokens(text: string, tables: readonly Table[] = declaredTables): string[] {
  const names = new Set(
    tables.flatMap((table) => [
      table.name,
      ...Object.keys(table.columns),
      ...table.relations.map(({ name }) => name),
    ]),
  );
  const literals = [...text.matchAll(/'([^']*)'/g)].map(([, literal = '']) => literal);
  const rest = text
    .replaceAll(/'[^']*'/g, ' ')
    .replaceAll(/\$\d+/g, ' ')
    // A name with capitals is quoted, and any other stays as it is.
    .replaceAll(/"([a-z]+[A-Z][a-zA-Z]*)"/g, (quoted, name: string) => (names.has(name) ? name : quoted));
  const tokens = rest.match(/[a-z_][a-z0-9_]*/gi) ?? [];
  const numbers = rest.match(/(?<![a-z0-9_])\d+/gi) ?? [];
  const signs = rest.replaceAll(/[a-z0-9_]+/gi, ' ').match(/[^\s(),.:=<>*[\]-]|--|-(?!>)|\/\*/g) ?? [];
  return [
    ...tokens.filter((token) => !grammar.has(token) && !names.has(token)),
    // `-> 0` takes the one object, `select 1` checks whether there is a row.
    ...numbers.filter((number) => number !== '0' && number !== '1'),
    ...literals.filter((literal) => !policyLiterals.has(literal) && !names.has(literal)),
    ...signs,
  ];
}

/** Whether the parameters in the text are exactly `$1` to `$count`. */
export function parametersMatch(text: string, count: number): boolean {
  const parameters = new Set([...text.matchAll(/\$(\d+)/g)].map((match) => Number(match[1])));
  return (
    parameters.size === count && [...parameters].every((parameter) => parameter >= 1 && parameter <= count)
  );
}
