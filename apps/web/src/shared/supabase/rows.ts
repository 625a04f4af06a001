/**
 * The wire is snake_case, the documents and this app say camelCase: one mapper between them, with its types derived from
 * the contract's generated `Database`. Values pass unchanged.
 */
import type { Database } from '@fulcrum/contract/database';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

export type CamelCased<Row> = {
  readonly [Key in keyof Row as Key extends string ? CamelCase<Key> : never]: Row[Key];
};

const toCamel = (name: string): string =>
  name.replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** A row of the wire as the app reads it. */
export function fromWire<Row extends object>(row: Row): CamelCased<Row> {
  const entries = Object.entries(row).map(([name, value]) => [toCamel(name), value]);
  // Object.fromEntries cannot know that the keys are the mapped ones.
  return Object.fromEntries(entries) as CamelCased<Row>;
}

type Tables = Database['public']['Tables'];
export type Profile = CamelCased<Tables['users']['Row']>;
export type Wallet = CamelCased<Tables['wallets']['Row']>;
export type Position = CamelCased<Tables['positions']['Row']>;
export type Order = CamelCased<Tables['orders']['Row']>;
export type Notification = CamelCased<Tables['notifications']['Row']>;
export type Transaction = CamelCased<Tables['transactions']['Row']>;
export type TradingPair = CamelCased<Tables['trading_pairs']['Row']>;
export type JournalRow = CamelCased<Tables['journal_entries']['Row']>;
