/** What staff read to run the place: people, positions, wallets, figures. Lists are paged, and each counts what it leaves out. */
import { bulkUsersMax } from '@fulcrum/domain';
import { z } from 'zod';
import { decimal, id } from '../columns.ts';
import { userRow } from './accounts.ts';
import { procedure } from './procedure.ts';

const userRole = z.enum(['trader', 'manager', 'support', 'admin']);
const kycStatus = z.enum(['unverified', 'pending', 'verified', 'rejected']);
/** Part of a name, as somebody types it; it holds no wildcards. */
const search = z
  .string()
  .max(100)
  .refine((text) => !text.includes('\0') && text.isWellFormed(), 'Control characters are not allowed')
  .nullish();
/** From 1; an offset beyond what a list may skip is refused. */
const page = z.number().int().min(1).max(10_000).nullish();
const pageSize = z.number().int().min(1).max(100).nullish();
/** ISO 8601 with an offset; a range is from (inclusive) to (exclusive). */
const moment = z.iso.datetime({ offset: true }).nullish();
const time = z.string();
const count = z.number().int();
/** A column of a row as it was and as it is. */
const fieldValue = z.union([z.string(), z.number(), z.boolean()]).nullable();
const fieldChange = z.object({ column: z.string(), before: fieldValue, after: fieldValue });

/** Which users a list or a bulk act means. Facets are combined by and, the values of one by or. */
const userFilter = {
  /** In the username or the email; an id finds its user. */
  p_search: search,
  p_roles: z.array(userRole).max(4).nullish(),
  p_kyc: z.array(kycStatus).max(4).nullish(),
  /** `none`: traders without one. */
  p_managers: z
    .array(z.union([id, z.literal('none')]))
    .max(50)
    .nullish(),
  p_restricted: z.boolean().nullish(),
};
export const userSorts = ['username', 'email', 'role', 'manager', 'created_at', 'last_login'] as const;

/** ADMIN-32, MGR-08: an admin finds everybody, a manager the own traders. Newest first unless another order is asked for. */
export const listUsers = procedure({
  name: 'list_users',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({
    ...userFilter,
    p_sort: z.enum(userSorts).nullish(),
    p_ascending: z.boolean().nullish(),
    p_page: page,
    p_page_size: pageSize,
  }),
  result: z.object({
    total: z.number().int(),
    users: z.array(
      userRow.extend({
        manager: z.object({ id, username: z.string() }).nullable(),
        /** Null for who has none. */
        wallet: z.object({ balance: z.number(), available_balance: z.number() }).nullable(),
      }),
    ),
    /** How many of those that the other facets leave have each value. Managers: the fifty with the most, those asked for, and `none`. */
    facets: z.object({
      roles: z.object({ trader: count, manager: count, support: count, admin: count }),
      kyc: z.object({ unverified: count, pending: count, verified: count, rejected: count }),
      managers: z.array(
        z.object({
          id: z.union([id, z.literal('none')]),
          username: z.string().nullable(),
          users: z.number().int(),
        }),
      ),
      restricted: z.object({ yes: count, no: count }),
    }),
  }),
});

/** What one look at the quick search shows at most. */
const quickUsersMax = 8;

/**
 * Finds accounts by a part of a name or address or by an id, those that match best first, and a position by its id. An id may be
 * shortened to its first eight characters, as pages show it. An agent finds whom they attend to.
 */
export const quickSearch = procedure({
  name: 'quick_search',
  kind: 'query',
  roles: ['manager', 'support', 'admin'],
  args: z.strictObject({
    p_text: search,
    /** In place of a text: these, in this order, as far as the caller reaches them. */
    p_user_ids: z.array(id).max(quickUsersMax).nullish(),
  }),
  result: z.object({
    users: z
      .array(
        z.object({
          id,
          username: z.string(),
          email: z.string(),
          role: userRole,
          kyc_status: kycStatus,
          restricted_at: time.nullable(),
          manager: z.string().nullable(),
          /** Where an agent meets them; null for the other roles. */
          chat_session_id: id.nullable(),
        }),
      )
      .max(quickUsersMax),
    positions: z.array(
      z.object({
        id,
        user_id: id,
        username: z.string(),
        symbol: z.string(),
        side: z.enum(['BUY', 'SELL']),
        status: z.enum(['open', 'closed']),
        /** Closed then, else opened then. */
        at: time,
      }),
    ),
  }),
});

/** The ids behind "select all that match", for a bulk act: at most as many as one takes. */
export const findUserIds = procedure({
  name: 'find_user_ids',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject(userFilter),
  result: z.object({ total: z.number().int(), ids: z.array(id) }),
});

const userIds = z.array(id).min(1).max(bulkUsersMax);
const reason = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed')
  .nullish();
const clientId = z.string().min(1).max(64).nullish();
/** What became of each row; one that is refused stops no other. */
const bulkReport = z.object({
  rows: z.array(
    z.object({
      user_id: id,
      username: z.string().nullable(),
      outcome: z.enum(['done', 'unchanged', 'refused']),
      /** Why, of a refused one. */
      message: z.string().nullable(),
    }),
  ),
});

/** CALL-54 for many. Null takes the manager away. */
export const assignUsersToManager = procedure({
  name: 'assign_users_to_manager',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_ids: userIds, p_manager_id: id.nullable() }),
  result: bulkReport,
});

/** A72 for many; each row has a client id of its own, made of this one. */
export const restrictUsers = procedure({
  name: 'restrict_users',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({
    p_user_ids: userIds,
    p_restricted: z.boolean(),
    p_reason: reason,
    p_client_id: clientId,
  }),
  result: bulkReport,
});

/** ADMIN-74, ADMIN-75, A78: by `closed_at` of closed positions, by `created_at` of open ones. */
const positionFilter = {
  p_status: z.enum(['open', 'closed']),
  /** Null: of everybody whom the caller reaches. */
  p_user_id: id.nullish(),
  /** Part of a symbol. */
  p_symbol: z
    .string()
    .max(32)
    // It goes into the audit log with the file, and PostgreSQL's JSON takes neither.
    .refine((text) => !text.includes('\0') && text.isWellFormed(), 'Control characters are not allowed')
    .nullish(),
  p_from: moment,
  p_to: moment,
};
export const positionSorts = ['time', 'symbol', 'size', 'leverage', 'pnl'] as const;
export const staffPosition = z.object({
  id,
  user_id: id,
  username: z.string(),
  symbol: z.string(),
  side: z.enum(['BUY', 'SELL']),
  entry_price: z.number(),
  size: z.number(),
  leverage: z.number().int(),
  margin: z.number(),
  liquidation_price: z.number(),
  /** Of an open one with a price. */
  mark_price: z.number().nullable(),
  unrealized_pnl: z.number().nullable(),
  close_price: z.number().nullable(),
  realized_pnl: z.number().nullable(),
  status: z.enum(['open', 'closed']),
  close_reason: z.enum(['manual', 'liquidation', 'take_profit', 'stop_loss', 'staff']).nullable(),
  created_at: time,
  closed_at: time.nullable(),
  edited_at: time.nullable(),
  fees: z.number(),
  take_profit_price: z.number().nullable(),
  stop_loss_price: z.number().nullable(),
  rules: z.enum(['standard', 'as-specified']),
  version: z.number().int(),
});

/**
 * The latest first unless another order is asked for. Closed ones without `p_user_id` by `time` and `pnl` only, other orders are an
 * `invalid_argument`: every close would pay for the index that such an order needs over everybody's.
 */
export const listPositions = procedure({
  name: 'list_positions',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({
    ...positionFilter,
    p_sort: z.enum(positionSorts).nullish(),
    p_ascending: z.boolean().nullish(),
    p_page: page,
    p_page_size: pageSize,
  }),
  result: z.object({
    positions: z.array(staffPosition),
    /** Counted up to a limit: `is_more` says that there are more than `total`. */
    total: z.number().int(),
    is_more: z.boolean(),
    /** Σ realized PnL of all of them, USDT; null for open ones, and where not all were counted. */
    realized_pnl: z.number().nullable(),
  }),
});

/** X-17, A77: a link to a CSV file of all that the filter shows, good for a minute and within the caller's session. */
export const exportPositions = procedure({
  name: 'export_positions',
  kind: 'command',
  roles: ['manager', 'admin'],
  args: z.strictObject({
    ...positionFilter,
    /** IANA name of the viewer's zone, in which days are told (A78). */
    p_time_zone: z.string().max(64),
  }),
  /** `url` is a path of this server. */
  result: z.object({ url: z.string(), file_name: z.string() }),
});

const walletState = z.object({ balance: z.number(), available_balance: z.number(), margin: z.number() });
/** What a change would do, as the engine decides it now; nothing is changed. */
const walletPreview = {
  before: walletState,
  /** Null when it would be refused. */
  after: walletState.nullable(),
  /** In the words with which the command would refuse it. */
  refusal: z.string().nullable(),
};

/** A12: what `adjust_wallet_balance` would do. */
export const previewFunds = procedure({
  name: 'preview_funds',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({ p_user_id: id, p_amount: decimal }),
  result: z.object(walletPreview),
});

/** A09: what an update of `positions` by staff would do. What is absent stays, null empties. */
export const previewPositionEdit = procedure({
  name: 'preview_position_edit',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({
    p_position_id: id,
    p_changes: z.strictObject({
      entry_price: decimal.nullish(),
      close_price: decimal.nullish(),
      size: decimal.nullish(),
      leverage: z.number().nullish(),
      side: z.string().nullish(),
      realized_pnl: decimal.nullish(),
      liquidation_price: decimal.nullish(),
      created_at: z.string().max(40).nullish(),
      closed_at: z.string().max(40).nullish(),
    }),
  }),
  result: z.object({
    ...walletPreview,
    /** The version that was looked at; another one than the editor's means that somebody was faster. */
    version: z.number().int(),
    /** Columns that would change, with what follows from the asked ones. */
    changes: z.array(fieldChange),
    /** Realized PnL that follows from entry, close price, size and side; null for an open one. */
    derived_pnl: z.number().nullable(),
  }),
});

/** Who changed a position and how, the latest first; at most a hundred. */
export const getPositionHistory = procedure({
  name: 'get_position_history',
  kind: 'query',
  roles: ['manager', 'admin'],
  args: z.strictObject({ p_position_id: id }),
  result: z.array(
    z.object({
      at: time,
      action: z.string(),
      /** Null: deleted since, or the operator. */
      actor: z.string().nullable(),
      /** As whom they acted (A45). */
      on_behalf_of: z.string().nullable(),
      reason: z.string().nullable(),
      changes: z.array(fieldChange),
    }),
  ),
});

export const walletSorts = ['username', 'balance', 'available_balance', 'last_updated'] as const;
/** ADMIN-81, ADMIN-82, A76. The last updated first unless another order is asked for. */
export const listWallets = procedure({
  name: 'list_wallets',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({
    p_search: search,
    p_sort: z.enum(walletSorts).nullish(),
    p_ascending: z.boolean().nullish(),
    p_page: page,
    p_page_size: pageSize,
  }),
  result: z.object({
    total: z.number().int(),
    wallets: z.array(
      z.object({
        id,
        user_id: id,
        username: z.string(),
        balance: z.number(),
        available_balance: z.number(),
        margin: z.number(),
        currency: z.string(),
        last_updated: time,
        /** Balance minus the sum of the account's ledger entries, USDT: 0 in whole books. */
        drift: z.number(),
      }),
    ),
  }),
});

/** Holds every wallet, or one, against its ledger entries, from the first to the last. */
export const reconcileWallets = procedure({
  name: 'reconcile_wallets',
  kind: 'command',
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id.nullish() }),
  result: z.object({
    wallets: z.number().int(),
    entries: z.number().int(),
    /** Σ balances and Σ ledger entries, USDT, as decimals. */
    balance: z.string(),
    ledger: z.string(),
    /** The first hundred. */
    drifting: z.array(
      z.object({
        user_id: id,
        username: z.string(),
        balance: z.string(),
        ledger: z.string(),
        drift: z.string(),
      }),
    ),
    drifting_total: z.number().int(),
    at: time,
  }),
});

/** A value with what it was a month ago. */
const compared = z.object({
  value: z.number(),
  /** Percent of what the month before had; null where that was nothing. */
  change_pct: z.number().nullable(),
  /** By UTC day, the last thirty, oldest first. */
  days: z.array(z.number()),
});

/** ADMIN-04 to ADMIN-12, A74, A75: computed, never a constant. */
export const getAdminOverview = procedure({
  name: 'get_admin_overview',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({}),
  result: z.object({
    total_users: compared,
    /** Σ entry × size of all positions, USDT. */
    trading_volume: compared,
    /** Open support chats. */
    active_sessions: compared,
    /** Σ balances, USDT. */
    total_balance: compared,
    /** People with a live session that was used within the last five minutes. */
    signed_in_now: z.number().int(),
    /** Of support chats that were closed within the last thirty days; null where there is none. */
    average_session_s: z.number().nullable(),
    /** Hour (UTC, 0 to 23) in which most of them began. */
    peak_hour: z.number().int().nullable(),
    sessions_measured: z.number().int(),
    at: time,
  }),
});

const houseMetrics = z.object({
  /** Oldest first; days on which nothing happened are left out. At most 3,700. */
  days: z.array(
    z.object({
      /** `YYYY-MM-DD`, UTC. */
      day: z.string(),
      volume: z.number(),
      active_traders: z.number().int(),
      /** What traders lost and paid in fees, minus what they won; USDT. */
      house_pnl: z.number(),
      liquidations: z.number().int(),
      /** Lines of the traders' histories. */
      transactions: z.number().int(),
      deposits: z.number(),
      withdrawals: z.number(),
    }),
  ),
  totals: z.object({
    volume: z.number(),
    /** Different people in the whole range. */
    active_traders: z.number().int(),
    house_pnl: z.number(),
    liquidations: z.number().int(),
    transactions: z.number().int(),
    deposits: z.number(),
    withdrawals: z.number(),
  }),
  at: time,
});
export type HouseMetrics = z.infer<typeof houseMetrics>;

/** METR-01 to METR-03: figures of the house by UTC day; null is without an end. */
export const getHouseMetrics = procedure({
  name: 'get_house_metrics',
  kind: 'query',
  roles: ['admin'],
  args: z.strictObject({ p_from: moment, p_to: moment }),
  result: houseMetrics,
});
