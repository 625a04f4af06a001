/** A trader's money, positions, orders and history. */
import {
  closePriceSources,
  closeReasons,
  liquidities,
  orderStatuses,
  orderTypes,
  positionStatuses,
  ruleSetNames,
  sides,
  timesInForce,
  transactionStatuses,
  transactionTypes,
} from '@fulcrum/domain';
import { bigint, bool, int, nullable, numeric, oneOf, text, timestamp, uuid } from '../columns.ts';
import {
  all,
  assigned,
  type CommandInsert,
  ofAccount,
  ofAccountWithUser,
  own,
  ownOfKey,
  type Table,
} from './table.ts';

/** The columns that staff may change; `version` is the one that they saw (CALL-43, A09). */
const positionEdit = [
  'entry_price',
  'close_price',
  'size',
  'leverage',
  'side',
  'realized_pnl',
  'liquidation_price',
  'created_at',
  'closed_at',
  'version',
  'reason',
  'client_id',
] as const;
/** Idempotent, the amounts are ignored (CALL-33, CALL-34, A100). */
const walletInsert = {
  by: 'command',
  columns: ['user_id', 'balance', 'available_balance', 'currency'],
} as const satisfies CommandInsert;

export const wallets = {
  name: 'wallets',
  columns: {
    id: uuid,
    user_id: uuid,
    balance: numeric,
    available_balance: numeric,
    /** A sent value is ignored, so any is accepted. */
    currency: text,
    last_updated: timestamp,
    version: bigint,
  },
  key: ['id'],
  ...ofAccountWithUser,
  access: {
    trader: { ...ownOfKey, insert: walletInsert },
    manager: assigned,
    admin: { ...all, insert: walletInsert },
  },
  realtime: true,
} as const satisfies Table;

export const positions = {
  name: 'positions',
  columns: {
    id: uuid,
    user_id: uuid,
    symbol: text,
    side: oneOf(...sides),
    entry_price: numeric,
    size: numeric,
    leverage: int,
    margin: numeric,
    liquidation_price: numeric,
    /** Marked on read from the last price of the symbol; null when closed or when there is no price. */
    mark_price: nullable(numeric),
    unrealized_pnl: nullable(numeric),
    close_price: nullable(numeric),
    realized_pnl: nullable(numeric),
    status: oneOf(...positionStatuses),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: nullable(timestamp),
    take_profit_price: nullable(numeric),
    stop_loss_price: nullable(numeric),
    close_reason: nullable(oneOf(...closeReasons)),
    close_price_source: nullable(oneOf(...closePriceSources)),
    rules: oneOf(...ruleSetNames),
    version: int,
    /** `wallets.version` after this change; a client that detects a gap reads again. */
    account_version: bigint,
    /** The first stop loss of the position, from which R is computed (A108). */
    initial_stop_loss_price: nullable(numeric),
    /** The rate of its closing fee, as a fraction (A07). */
    fee_rate: numeric,
    /** Charged so far; `realized_pnl` is before fees. */
    fees: numeric,
    /** Of the position that this closed part was split from (A23). */
    split_from: nullable(uuid),
    /** When staff last changed it (A09). */
    edited_at: nullable(timestamp),
    /** Requested while it cannot be closed: it closes at the next price that trades (A98, A110). */
    close_at_reopen: bool,
    /** What was paid for a net position, USDT; its entry price is this per unit (A113). Null for any other one. */
    entry_value: nullable(numeric),
    /** Funding and financing so far: received above zero, paid below (A113). */
    funding: numeric,
  },
  inputs: { reason: nullable(text), client_id: nullable(text) },
  key: ['id'],
  ...ofAccountWithUser,
  access: {
    trader: ownOfKey,
    manager: { ...assigned, update: { by: 'command', rows: 'assigned', columns: positionEdit } },
    admin: { ...all, update: { by: 'command', rows: 'all', columns: positionEdit } },
  },
  realtime: true,
} as const satisfies Table;

/** Orders under their stored names; clients map them to the stated shape (ENT-19, ENT-20, A20). */
export const orders = {
  name: 'orders',
  columns: {
    id: uuid,
    user_id: uuid,
    symbol: text,
    type: oneOf(...orderTypes),
    side: oneOf(...sides),
    /** Of a LIMIT or STOP the trigger; of a MARKET the price that the trader saw, null sets no bound. */
    price: nullable(numeric),
    size: numeric,
    leverage: int,
    status: oneOf(...orderStatuses),
    /** Why it was rejected. */
    reason: nullable(text),
    take_profit_price: nullable(numeric),
    stop_loss_price: nullable(numeric),
    /** Margin and opening fee, reserved while it waits. */
    reserved: numeric,
    /** The position that it opened. */
    position_id: nullable(uuid),
    /** Made by the client, unique per user: a repeat returns the same order. */
    client_id: nullable(text),
    rules: oneOf(...ruleSetNames),
    created_at: timestamp,
    updated_at: timestamp,
    version: int,
    account_version: bigint,
    /** How long it waits; GTC but in an account with net positions (A113). */
    time_in_force: oneOf(...timesInForce),
    reduce_only: bool,
    /** What was filled so far, and its price × size in USDT. */
    filled_size: numeric,
    filled_value: numeric,
    /** Of a conditional order: where it becomes one; of a trailing stop: from where it follows the market. */
    trigger_price: nullable(numeric),
    /** The distance of a trailing stop from the best price since, in per cent, and that price. */
    trail_rate: nullable(numeric),
    peak_price: nullable(numeric),
    /** It closes the whole position; its size is zero until it is triggered. */
    close_position: bool,
    triggered_at: nullable(timestamp),
    /** Of a GTD order. */
    expires_at: nullable(timestamp),
    /** When it is to be filled; null but during its latency. */
    due_at: nullable(timestamp),
    /** The position that it closes a part of, and that it ends with. */
    bound_position_id: nullable(uuid),
  },
  inputs: { quote_id: nullable(text) },
  key: ['id'],
  ...ofAccountWithUser,
  access: {
    trader: {
      ...own,
      /** Own orders only; another `user_id` or a status that is not NEW is refused (CALL-45). */
      insert: {
        by: 'command',
        columns: [
          'user_id',
          'symbol',
          'type',
          'side',
          'price',
          'size',
          'leverage',
          'status',
          'take_profit_price',
          'stop_loss_price',
          'time_in_force',
          'reduce_only',
          'trigger_price',
          'trail_rate',
          'close_position',
          'expires_at',
          'bound_position_id',
          'quote_id',
          'client_id',
        ],
      },
      /** The owner may set the status to CANCELED and nothing else (CALL-46). */
      update: { by: 'command', rows: 'own', columns: ['status'] },
      writesWhileImpersonating: 'allowed',
      apiKey: { select: 'read', insert: 'trade', update: 'trade' },
    },
    manager: assigned,
    admin: all,
  },
  realtime: true,
} as const satisfies Table;

/** One row a fill, of orders and of closes (A114); the engine writes it and nothing changes it. */
export const executions = {
  name: 'executions',
  columns: {
    id: uuid,
    user_id: uuid,
    /** Null for a close without an order. */
    order_id: nullable(uuid),
    position_id: uuid,
    /** The net position that it closed before it opened that one on the other side. */
    flipped_from: nullable(uuid),
    symbol: text,
    /** What was traded: closing a BUY position is a SELL. */
    side: oneOf(...sides),
    size: numeric,
    /** Price × size over all levels, USDT. */
    value: numeric,
    /** The average price: `mid` plus the three costs for a BUY, minus them for a SELL. */
    price: numeric,
    /** The middle of the market when the order arrived. */
    mid: numeric,
    /** The quote that it filled on; null for a fill at the market's one price. */
    quote_id: nullable(text),
    liquidity: oneOf(...liquidities),
    /** USDT. */
    fee: numeric,
    /** Quote units for each unit of size; negative where the trader gained. */
    spread_cost: numeric,
    impact_cost: numeric,
    latency_cost: numeric,
    /** What the closed part earned, before fees; null where the fill opened. */
    realized_pnl: nullable(numeric),
    created_at: timestamp,
  },
  key: ['id'],
  ...ofAccountWithUser,
  access: { trader: ownOfKey, manager: assigned, admin: all },
  realtime: false,
} as const satisfies Table;

/** The leverage of a symbol in an account with net positions, by `set_leverage` or an order (A113). */
export const symbolLeverages = {
  name: 'symbol_leverages',
  columns: { user_id: uuid, symbol: text, leverage: int },
  key: ['user_id', 'symbol'],
  ...ofAccount,
  relations: [],
  access: { trader: ownOfKey, manager: assigned, admin: all },
  realtime: false,
} as const satisfies Table;

export const transactions = {
  name: 'transactions',
  columns: {
    id: uuid,
    user_id: uuid,
    wallet_id: nullable(uuid),
    type: oneOf(...transactionTypes),
    amount: numeric,
    status: oneOf(...transactionStatuses),
    created_at: timestamp,
    completed_at: nullable(timestamp),
    description: nullable(text),
  },
  inputs: { reason: nullable(text), client_id: nullable(text) },
  key: ['id'],
  ...ofAccountWithUser,
  access: {
    trader: ownOfKey,
    manager: assigned,
    admin: {
      ...all,
      /** A completed deposit or withdrawal, by the command of `adjust_wallet_balance` (A100). */
      insert: {
        by: 'command',
        columns: [
          'user_id',
          'wallet_id',
          'type',
          'amount',
          'status',
          'completed_at',
          'description',
          'reason',
          'client_id',
        ],
      },
    },
  },
  realtime: false,
} as const satisfies Table;

/** The trader's notifications, delivered live and stored (A104). */
export const notifications = {
  name: 'notifications',
  columns: {
    id: uuid,
    user_id: uuid,
    kind: text,
    message: text,
    symbol: nullable(text),
    position_id: nullable(uuid),
    order_id: nullable(uuid),
    created_at: timestamp,
    read_at: nullable(timestamp),
  },
  key: ['id'],
  owner: 'user_id',
  ownedBy: 'either',
  relations: [],
  access: {
    trader: { ...own, update: { by: 'row', rows: 'own', columns: ['read_at'] } },
  },
  realtime: true,
} as const satisfies Table;

/** Balance, and the balance if every open position closed at its mark; hourly and at each close (A108). */
export const equitySnapshots = {
  name: 'equity_snapshots',
  columns: { user_id: uuid, at: timestamp, balance: numeric, equity: numeric },
  key: ['user_id', 'at'],
  ...ofAccount,
  relations: [],
  access: { trader: ownOfKey, manager: assigned, admin: all },
  realtime: false,
} as const satisfies Table;
