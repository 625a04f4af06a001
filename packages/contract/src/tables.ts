/**
 * Every table of `/rest/v1`, declared once. A table, column, row or write that is not declared here does not exist for
 * a client. The server reads the view `api.<name>`, which has exactly these columns.
 */
import {
  bigint,
  bool,
  type Column,
  int,
  nullable,
  numeric,
  oneOf,
  text,
  textList,
  timestamp,
  uuid,
  withDefault,
} from './columns.ts';
import type { Role } from './roles.ts';
import { priceStates, sources } from './topics.ts';

/**
 * Which rows a role reaches: its own (`owner` equals the caller), those of traders assigned to the calling manager, both, or all.
 */
export type RowScope = 'own' | 'assigned' | 'own+assigned' | 'all';

export interface SelectAccess {
  readonly rows: RowScope;
  /** Columns that the role may read; `'*'` is all declared ones. */
  readonly columns: '*' | readonly string[];
}
/** A plain insert under the table's columns. */
export interface RowInsert {
  readonly by: 'row';
  /** Only `own`: the owner column comes from the token, whatever the client claims. */
  readonly rows: 'own';
  readonly columns: readonly string[];
  /**
   * `upsert` lets a repeated row be (the same key is not an error when the client asks for it). A merge that is asked for
   * changes only what an update may.
   */
  readonly upsert: boolean;
}
/**
 * An insert with consequences: the feature's command behind it decides what becomes of the claimed values. Columns and
 * claims that are declared but not listed may not be named. Asking for an upsert is accepted: the command knows what a repeat means.
 */
export interface CommandInsert {
  readonly by: 'command';
  readonly columns: readonly string[];
}
/** A plain update of own rows. */
export interface RowUpdate {
  readonly by: 'row';
  readonly rows: 'own';
  readonly columns: readonly string[];
}
/** An update with consequences: the filter finds rows within `rows`, the feature's command changes them. */
export interface CommandUpdate {
  readonly by: 'command';
  readonly rows: RowScope;
  readonly columns: readonly string[];
}
export interface DeleteAccess {
  readonly rows: 'own';
}
export interface Access {
  readonly select?: SelectAccess;
  readonly insert?: RowInsert | CommandInsert;
  readonly update?: RowUpdate | CommandUpdate;
  readonly delete?: DeleteAccess;
  /** Whether staff may write while they act as somebody else (A45); absent: they only read. */
  readonly writesWhileActing?: 'allowed';
}

/** A many-to-one embed: `relation:table(columns)` joins `table.id = this.column`. The target's own policy still applies. */
export interface Relation {
  readonly table: string;
  readonly column: string;
}

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  /** What a command write may claim beside the columns; never read, never filtered by. */
  readonly claims?: Readonly<Record<string, Column>>;
  /** The column with the id of the user that a row belongs to; null for public rows. */
  readonly owner: string | null;
  readonly relations: Readonly<Record<string, Relation>>;
  readonly access: Readonly<Partial<Record<Role, Access>>>;
  /** Whether changes are announced through `postgres_changes`. */
  readonly realtime: boolean;
}

const all: Access = { select: { rows: 'all', columns: '*' } };
const own: Access = { select: { rows: 'own', columns: '*' } };
const assigned: Access = { select: { rows: 'assigned', columns: '*' } };

/** CALL-26 … CALL-29: what the documents write themselves, answered as A100 says. */
const profileInsert = {
  by: 'command',
  columns: ['id', 'email', 'username', 'phone_number', 'role', 'last_login'],
} as const satisfies CommandInsert;
const profileUpdate = {
  by: 'command',
  rows: 'own',
  columns: ['last_login', 'kyc_status', 'kyc_verified_at'],
} as const satisfies CommandUpdate;
const ownProfile = { insert: profileInsert, update: profileUpdate } as const satisfies Access;
/** CALL-43, A09: what staff may change; `version` is the one that they saw. */
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
/** CALL-33, CALL-34 (A100): idempotent, the amounts are ignored. */
const walletInsert = {
  by: 'command',
  columns: ['user_id', 'balance', 'available_balance', 'currency'],
} as const satisfies CommandInsert;

export const users = {
  name: 'users',
  columns: {
    id: uuid,
    email: text,
    username: text,
    role: oneOf('trader', 'manager', 'support', 'admin'),
    phone_number: nullable(text),
    created_at: timestamp,
    last_login: nullable(timestamp),
    manager_id: nullable(uuid),
    kyc_status: oneOf('unverified', 'pending', 'verified', 'rejected'),
    kyc_verified_at: nullable(timestamp),
    /** A72: opens nothing since then; null is not restricted. */
    restricted_at: nullable(timestamp),
  },
  key: ['id'],
  owner: 'id',
  relations: { manager: { table: 'users', column: 'manager_id' } },
  access: {
    trader: { ...own, ...ownProfile },
    manager: { select: { rows: 'own+assigned', columns: '*' }, ...ownProfile },
    support: { ...own, ...ownProfile },
    admin: { ...all, insert: profileInsert, update: { ...profileUpdate, rows: 'all' } },
  },
  realtime: false,
} as const satisfies Table;

export const wallets = {
  name: 'wallets',
  columns: {
    id: uuid,
    user_id: uuid,
    balance: numeric,
    available_balance: numeric,
    currency: text,
    last_updated: timestamp,
    version: bigint,
  },
  key: ['id'],
  owner: 'user_id',
  relations: { user: { table: 'users', column: 'user_id' } },
  access: {
    trader: { ...own, insert: walletInsert },
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
    side: oneOf('BUY', 'SELL'),
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
    status: oneOf('open', 'closed'),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: nullable(timestamp),
    take_profit_price: nullable(numeric),
    stop_loss_price: nullable(numeric),
    close_reason: nullable(oneOf('manual', 'liquidation', 'take_profit', 'stop_loss', 'staff')),
    close_price_source: nullable(oneOf('live', 'mark', 'entry')),
    rules: oneOf('standard', 'as-specified'),
    version: int,
    /** `wallets.version` as this change left it; a client that sees a gap reads again. */
    account_version: bigint,
    /** The first stop loss that it ever had, from which R is told (A108). */
    initial_stop_loss_price: nullable(numeric),
    /** What its close is charged, as a fraction (A07). */
    fee_rate: numeric,
    /** Charged so far; `realized_pnl` is before fees. */
    fees: numeric,
    /** Of the position that this closed part was split from (A23). */
    split_from: nullable(uuid),
    /** When staff last changed it (A09). */
    edited_at: nullable(timestamp),
    /** Asked for while its market is shut: it closes at the first price after the reopening (A98). */
    close_at_reopen: bool,
  },
  claims: { reason: nullable(text), client_id: nullable(text) },
  key: ['id'],
  owner: 'user_id',
  relations: { user: { table: 'users', column: 'user_id' } },
  access: {
    trader: own,
    manager: { ...assigned, update: { by: 'command', rows: 'assigned', columns: positionEdit } },
    admin: { ...all, update: { by: 'command', rows: 'all', columns: positionEdit } },
  },
  realtime: true,
} as const satisfies Table;

/** ENT-19, ENT-20, A20. */
export const orders = {
  name: 'orders',
  columns: {
    id: uuid,
    user_id: uuid,
    symbol: text,
    type: oneOf('MARKET', 'LIMIT', 'STOP'),
    side: oneOf('BUY', 'SELL'),
    /** Of a LIMIT or STOP the trigger; of a MARKET what the trader saw, null sets no bound. */
    price: nullable(numeric),
    size: numeric,
    leverage: int,
    status: oneOf('NEW', 'FILLED', 'REJECTED', 'CANCELED'),
    /** Why it was rejected. */
    reason: nullable(text),
    take_profit_price: nullable(numeric),
    stop_loss_price: nullable(numeric),
    /** Margin and opening fee, held while it waits. */
    reserved: numeric,
    /** What it opened. */
    position_id: nullable(uuid),
    /** Made by the client, unique per user: a repeat returns the same order. */
    client_id: nullable(text),
    rules: oneOf('standard', 'as-specified'),
    created_at: timestamp,
    updated_at: timestamp,
    version: int,
    account_version: bigint,
  },
  key: ['id'],
  owner: 'user_id',
  relations: { user: { table: 'users', column: 'user_id' } },
  access: {
    trader: {
      ...own,
      /** CALL-45: own orders only; another `user_id` is refused, and so is a status that is not NEW. */
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
          'client_id',
        ],
      },
      /** CALL-46: to CANCELED, nothing else. */
      update: { by: 'command', rows: 'own', columns: ['status'] },
      writesWhileActing: 'allowed',
    },
    manager: assigned,
    admin: all,
  },
  realtime: true,
} as const satisfies Table;

export const transactions = {
  name: 'transactions',
  columns: {
    id: uuid,
    user_id: uuid,
    wallet_id: nullable(uuid),
    type: oneOf('deposit', 'withdrawal', 'position_closed', 'fee'),
    amount: numeric,
    status: oneOf('completed', 'pending'),
    created_at: timestamp,
    completed_at: nullable(timestamp),
    description: nullable(text),
  },
  claims: { reason: nullable(text), client_id: nullable(text) },
  key: ['id'],
  owner: 'user_id',
  relations: { user: { table: 'users', column: 'user_id' } },
  access: {
    trader: own,
    manager: assigned,
    admin: {
      ...all,
      /** A100: a completed deposit or withdrawal, by the command of `adjust_wallet_balance`. */
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

/** A104: what the trader is told, live and to be read later. */
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
  relations: {},
  access: {
    trader: { ...own, update: { by: 'row', rows: 'own', columns: ['read_at'] } },
  },
  realtime: true,
} as const satisfies Table;

/** A108: balance, and what it would be if every open position were closed at its mark; hourly and at each close. */
export const equitySnapshots = {
  name: 'equity_snapshots',
  columns: { user_id: uuid, at: timestamp, balance: numeric, equity: numeric },
  key: ['user_id', 'at'],
  owner: 'user_id',
  relations: {},
  access: { trader: own, manager: assigned, admin: all },
  realtime: false,
} as const satisfies Table;

export const tradingPairs = {
  name: 'trading_pairs',
  columns: {
    id: text,
    symbol: text,
    name: text,
    nickname: nullable(text),
    type: oneOf('crypto', 'stock', 'forex', 'commodity', 'index'),
    base_asset: text,
    quote_asset: text,
    min_price: numeric,
    max_price: numeric,
    tick_size: numeric,
    min_qty: numeric,
    max_qty: numeric,
    step_size: numeric,
    trading_hours: text,
    sort_order: int,
    /** Last price and the day's figures; null before the first price. */
    price: nullable(numeric),
    price_change_percent: nullable(numeric),
    volume: nullable(numeric),
    quote_volume: nullable(numeric),
    high_24h: nullable(numeric),
    low_24h: nullable(numeric),
    source: nullable(oneOf(...sources)),
    state: nullable(oneOf(...priceStates)),
    priced_at: nullable(timestamp),
    market_open: bool,
  },
  key: ['symbol'],
  owner: null,
  relations: {},
  access: { anon: all, trader: all, manager: all, support: all, admin: all },
  realtime: false,
} as const satisfies Table;

export const favorites = {
  name: 'favorites',
  columns: { user_id: uuid, symbol: text, created_at: timestamp },
  key: ['user_id', 'symbol'],
  owner: 'user_id',
  relations: {},
  access: {
    trader: {
      select: { rows: 'own', columns: '*' },
      insert: { by: 'row', rows: 'own', columns: ['symbol'], upsert: true },
      delete: { rows: 'own' },
    },
  },
  realtime: false,
} as const satisfies Table;

/** ENT-28: a trader's own notes. Nobody else reads them, staff only while they act as that trader. */
export const journalEntries = {
  name: 'journal_entries',
  columns: {
    /** Made by the client, so that a repeated save is the same entry; else by the server. */
    id: withDefault(uuid),
    user_id: uuid,
    title: text,
    /** Markdown. */
    content: text,
    tags: withDefault(textList),
    /** As claimed, but never later than now. */
    created_at: withDefault(timestamp),
    /** Set by the server with every change; an edit that names the one it saw cannot overwrite another. */
    updated_at: timestamp,
    /** One of the trader's own positions, open or closed. */
    position_id: nullable(uuid),
  },
  key: ['user_id', 'id'],
  owner: 'user_id',
  relations: { position: { table: 'positions', column: 'position_id' } },
  access: {
    trader: {
      ...own,
      insert: {
        by: 'row',
        rows: 'own',
        columns: ['id', 'title', 'content', 'tags', 'created_at', 'position_id'],
        upsert: true,
      },
      update: { by: 'row', rows: 'own', columns: ['title', 'content', 'tags', 'position_id'] },
      delete: { rows: 'own' },
    },
  },
  realtime: false,
} as const satisfies Table;

export const tables = [
  users,
  wallets,
  positions,
  orders,
  transactions,
  notifications,
  equitySnapshots,
  tradingPairs,
  favorites,
  journalEntries,
] as const;
export type TableName = (typeof tables)[number]['name'];
export const tableByName: ReadonlyMap<string, Table> = new Map(tables.map((table) => [table.name, table]));
