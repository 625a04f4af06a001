/**
 * Accounts in memory: wallet, restriction, open positions. A cache of what is committed and never more than that: a
 * batch decides on `Draft`s, and memory takes them over when PostgreSQL has them. Bounded: idle accounts leave first and
 * are read again when they are needed.
 */
import { AppError, texts } from '@fulcrum/contract';
import {
  type Account,
  asMoney,
  asPrice,
  asSize,
  type Effects,
  InvariantViolation,
  type Position,
  parseDecimal,
  type RuleSetName,
  type Side,
  type Wallet,
} from '@fulcrum/domain';
import type { Queryable } from '../../../platform/database/index.ts';

interface Committed {
  wallet: Wallet;
  readonly restricted: boolean;
  readonly open: Map<string, Position>;
}

export interface CacheLimits {
  readonly accounts: number;
  readonly positions: number;
}

interface AccountRow {
  user_id: string;
  restricted: boolean;
  wallet_id: string | null;
  available_balance: string;
  margin: string;
  order_margin: string;
  version: string;
  positions: OpenPositionRow[] | null;
}
/** Figures as text: json_agg would otherwise pass them through a float. */
interface OpenPositionRow {
  id: string;
  symbol: string;
  side: Side;
  entry_price: string;
  size: string;
  leverage: number;
  margin: string;
  liquidation_price: string;
  take_profit_price: string | null;
  stop_loss_price: string | null;
  rules: RuleSetName;
  created_at: number;
  updated_at: number;
  version: number;
  account_version: number;
}

const readAccounts = `
  select u.id as user_id, u.restricted_at is not null as restricted, w.id as wallet_id, w.available_balance, w.margin,
         w.order_margin, w.version, p.positions
  from app.users u
  left join app.wallets w on w.user_id = u.id
  left join lateral (
    select json_agg(json_build_object(
      'id', p.id, 'symbol', p.symbol, 'side', p.side, 'entry_price', p.entry_price::text, 'size', p.size::text,
      'leverage', p.leverage, 'margin', p.margin::text, 'liquidation_price', p.liquidation_price::text,
      'take_profit_price', p.take_profit_price::text, 'stop_loss_price', p.stop_loss_price::text, 'rules', p.rules,
      'created_at', round(extract(epoch from p.created_at) * 1000),
      'updated_at', round(extract(epoch from p.updated_at) * 1000),
      'version', p.version, 'account_version', p.account_version)) as positions
    from app.positions p where p.user_id = u.id and p.status = 'open'
  ) p on true
  where u.id = any ($1::uuid[])`;

const decimalOrNull = (text: string | null) => (text === null ? null : asPrice(parseDecimal(text)));

function openPosition(userId: string, row: OpenPositionRow): Position {
  return {
    id: row.id,
    userId,
    symbol: row.symbol,
    side: row.side,
    entryPrice: asPrice(parseDecimal(row.entry_price)),
    size: asSize(parseDecimal(row.size)),
    leverage: row.leverage,
    margin: asMoney(parseDecimal(row.margin)),
    liquidationPrice: asPrice(parseDecimal(row.liquidation_price)),
    takeProfitPrice: decimalOrNull(row.take_profit_price),
    stopLossPrice: decimalOrNull(row.stop_loss_price),
    rules: row.rules,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    closing: null,
    version: row.version,
    accountVersion: row.account_version,
  };
}

/** An account inside one batch: the committed state with this batch's decisions on top. */
export class Draft implements Account {
  readonly committed: Committed;
  readonly #knownClosed: ReadonlySet<string>;
  readonly #changed = new Map<string, Position>();
  wallet: Wallet;

  /** `knownClosed` are ids of the account's own closed positions that commands of this batch name. */
  constructor(committed: Committed, knownClosed: ReadonlySet<string>) {
    this.committed = committed;
    this.wallet = committed.wallet;
    this.#knownClosed = knownClosed;
  }

  get restricted(): boolean {
    return this.committed.restricted;
  }

  get changed(): ReadonlyMap<string, Position> {
    return this.#changed;
  }

  position(id: string): Position | 'closed' | undefined {
    return (
      this.#changed.get(id) ??
      this.committed.open.get(id) ??
      (this.#knownClosed.has(id) ? 'closed' : undefined)
    );
  }

  apply(effects: Effects): void {
    this.wallet = effects.wallet;
    for (const { after } of effects.positions) this.#changed.set(after.id, after);
  }
}

export class AccountCache {
  readonly #db: Queryable;
  readonly #limits: CacheLimits;
  /** In order of last use, the longest idle first. */
  readonly #accounts = new Map<string, Committed>();
  #positions = 0;

  constructor(db: Queryable, limits: CacheLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  get size(): { readonly accounts: number; readonly positions: number } {
    return { accounts: this.#accounts.size, positions: this.#positions };
  }

  /** Brings these accounts into memory; one query for all that are missing. A trader without a wallet gets one (RULE-26). */
  async load(userIds: Iterable<string>): Promise<void> {
    const missing: string[] = [];
    for (const userId of userIds) {
      const account = this.#accounts.get(userId);
      if (!account) {
        missing.push(userId);
        continue;
      }
      this.#accounts.delete(userId);
      this.#accounts.set(userId, account);
    }
    if (missing.length === 0) return;
    let rows = await this.#read(missing);
    const walletless = rows.filter((row) => row.wallet_id === null).map((row) => row.user_id);
    if (walletless.length > 0) {
      await this.#db.query(
        `insert into app.wallets (user_id) select unnest($1::uuid[]) on conflict (user_id) do nothing`,
        [walletless],
      );
      rows = await this.#read(missing);
    }
    for (const row of rows) this.#add(row);
  }

  async #read(userIds: readonly string[]): Promise<AccountRow[]> {
    const { rows } = await this.#db.query<AccountRow>(readAccounts, [userIds], 'engine_read_accounts');
    return rows;
  }

  #add(row: AccountRow): void {
    if (row.wallet_id === null) throw new Error(`user ${row.user_id} has no wallet`);
    const open = new Map(
      (row.positions ?? []).map((position) => [position.id, openPosition(row.user_id, position)] as const),
    );
    this.#positions += open.size;
    this.#accounts.set(row.user_id, {
      wallet: {
        id: row.wallet_id,
        userId: row.user_id,
        available: asMoney(parseDecimal(row.available_balance)),
        margin: asMoney(parseDecimal(row.margin)),
        orderMargin: asMoney(parseDecimal(row.order_margin)),
        version: Number(row.version),
      },
      restricted: row.restricted,
      open,
    });
  }

  /**
   * Of these named positions the ones that are closed, by owner. Memory holds only open ones, so a name that it does not
   * know is looked up, in one query for all.
   * @throws InvariantViolation when one is open without memory knowing it.
   */
  async findClosed(
    named: readonly { readonly userId: string; readonly positionId: string }[],
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const unknown = named.filter(
      ({ userId, positionId }) => !this.#accounts.get(userId)?.open.has(positionId),
    );
    const closed = new Map<string, Set<string>>();
    if (unknown.length === 0) return closed;
    const { rows } = await this.#db.query<{ id: string; user_id: string; status: string }>(
      `select distinct p.id, p.user_id, p.status from unnest($1::uuid[], $2::uuid[]) as n (id, user_id)
       join app.positions p on p.id = n.id and p.user_id = n.user_id`,
      [unknown.map(({ positionId }) => positionId), unknown.map(({ userId }) => userId)],
      'engine_find_closed',
    );
    for (const { id, user_id: userId, status } of rows) {
      if (status !== 'closed')
        throw new InvariantViolation(`memory holds every open position: ${id} is missing`);
      const ofUser = closed.get(userId) ?? new Set();
      closed.set(userId, ofUser.add(id));
    }
    return closed;
  }

  /** @throws AppError when there is no such user. `load` must have been called for it. */
  draft(userId: string, knownClosed: ReadonlySet<string>): Draft {
    const committed = this.#accounts.get(userId);
    if (!committed) throw new AppError('not_found', texts.userNotFound);
    return new Draft(committed, knownClosed);
  }

  /** Takes over what a committed batch decided. */
  takeOver(drafts: Iterable<Draft>): void {
    for (const { committed, wallet, changed } of drafts) {
      committed.wallet = wallet;
      const before = committed.open.size;
      for (const [id, position] of changed) {
        if (position.closing) committed.open.delete(id);
        else committed.open.set(id, position);
      }
      this.#positions += committed.open.size - before;
    }
  }

  /** Forgets accounts whose committed state is in doubt; they are read again when needed. */
  forget(userIds: Iterable<string>): void {
    for (const userId of userIds) {
      this.#positions -= this.#accounts.get(userId)?.open.size ?? 0;
      this.#accounts.delete(userId);
    }
  }

  /** Lets the longest idle accounts go until the limits are kept. Not while a batch holds drafts. */
  evictIdle(): void {
    for (const userId of this.#accounts.keys()) {
      if (this.#accounts.size <= this.#limits.accounts && this.#positions <= this.#limits.positions) return;
      this.forget([userId]);
    }
  }
}
