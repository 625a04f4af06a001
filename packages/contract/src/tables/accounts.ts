/** The trading accounts of a user (A112). */
import { accountKinds, accountStatuses, ruleSetNames } from '@fulcrum/domain';
import { int, nullable, numeric, oneOf, text, timestamp, uuid } from '../columns.ts';
import { all, own, ownOfKey, type Table } from './table.ts';

/** Read as rows, written by the procedures of `procedures/accounts.ts`. */
export const tradingAccounts = {
  name: 'trading_accounts',
  columns: {
    /** Of a main account its owner's id. */
    id: uuid,
    owner_id: uuid,
    kind: oneOf(...accountKinds),
    name: text,
    /** The terms of the account; null is what the server has for main accounts. */
    rules: nullable(oneOf(...ruleSetNames)),
    leverage_max: nullable(int),
    fee_rate: nullable(numeric),
    /** How orders fill; see `fillProfiles` of the domain. */
    fill_profile: text,
    /** What a reset goes back to; null is what the account was opened with. */
    start_balance: nullable(numeric),
    status: oneOf(...accountStatuses),
    created_at: timestamp,
    updated_at: timestamp,
    archived_at: nullable(timestamp),
  },
  key: ['id'],
  owner: 'owner_id',
  account: 'id',
  relations: [],
  access: {
    trader: ownOfKey,
    manager: { select: { rows: 'own+assigned', columns: '*' } },
    support: own,
    admin: all,
  },
  realtime: false,
} as const satisfies Table;
