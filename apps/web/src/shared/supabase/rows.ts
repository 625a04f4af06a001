/**
 * Maps rows from the snake_case of the wire to the camelCase of this app. The contract's generated `Database` provides the
 * types. Values are unchanged.
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

/** Converts a row of the wire. */
export function fromWire<Row extends object>(row: Row): CamelCased<Row> {
  const entries = Object.entries(row).map(([name, value]) => [toCamel(name), value]);
  // The type of Object.fromEntries does not express the mapped keys.
  return Object.fromEntries(entries) as CamelCased<Row>;
}

type Tables = Database['public']['Tables'];
export type Profile = CamelCased<Tables['users']['Row']>;
export type TradingAccount = CamelCased<Tables['trading_accounts']['Row']>;
export type Wallet = CamelCased<Tables['wallets']['Row']>;
export type Position = CamelCased<Tables['positions']['Row']>;
export type Order = CamelCased<Tables['orders']['Row']>;
export type Execution = CamelCased<Tables['executions']['Row']>;
export type Notification = CamelCased<Tables['notifications']['Row']>;
export type Transaction = CamelCased<Tables['transactions']['Row']>;
export type TradingPair = CamelCased<Tables['trading_pairs']['Row']>;
export type Alert = CamelCased<Tables['alerts']['Row']>;
export type JournalRow = CamelCased<Tables['journal_entries']['Row']>;
export type Playbook = CamelCased<Tables['playbooks']['Row']>;
