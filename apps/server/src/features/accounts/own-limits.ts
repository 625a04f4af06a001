/**
 * Limits that traders set for their own account (decision record 0031). Invariant: who may loosen one has waited until the next day (UTC), because
 * what is stored says from when it holds. The engine enforces them; a decision on the former ones fails at its write, by the wallet's version.
 */
import { AppError, type ArgsOf, type OwnLimitsRow, type SignedIn, texts } from '@fulcrum/contract';
import {
  asMoney,
  asPercent,
  changeOwnLimits,
  coolDownUntil,
  dailyLossLimit,
  dailyLossOf,
  HUNDRED_PERCENT,
  noOwnLimits,
  type OwnLimits,
  ownLimitsAt,
  parseOwnLimits,
  toNumber,
  toOwnLimitsJson,
} from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import type { Services } from '../../platform/services.ts';
import { recordAuditEntry } from '../audit/index.ts';
import type { Market } from '../market/index.ts';
import { marksOf, readOwnStanding } from '../trading/index.ts';
import { parseAmount } from './amount.ts';

interface StoredRow {
  readonly limits: unknown;
  readonly waiting: unknown;
  readonly waiting_from: Date | null;
}

const toWire = ({ dailyLoss, dailyLossPercent, tradesMax, coolDownMinutes }: OwnLimits) => ({
  daily_loss: dailyLoss === null ? null : toNumber(dailyLoss),
  daily_loss_percent: dailyLossPercent === null ? null : toNumber(dailyLossPercent),
  trades_max: tradesMax,
  cool_down_minutes: coolDownMinutes,
});

const isoOf = (at: number): string => new Date(at).toISOString();

interface OwnLimitsDependencies extends Pick<Services, 'db' | 'clock'> {
  /** Reads these accounts again, after a change from outside the engine. */
  readonly reload: (accountIds: Iterable<string>) => void;
  readonly market: Pick<Market, 'price'>;
}

export function createOwnLimits({ db, clock, reload, market }: OwnLimitsDependencies) {
  async function read(tx: Queryable, accountId: string, now: number): Promise<OwnLimitsRow> {
    const standing = await readOwnStanding(tx, accountId, { market: marksOf(market), now });
    if (standing === null) return { ...toWire(noOwnLimits), waiting: null, day: null };
    const { waiting, day, equity } = standing;
    const limits = ownLimitsAt(standing, now);
    const lossMax = dailyLossLimit(limits, day.equity);
    const cooling = coolDownUntil(limits, day, now);
    return {
      ...toWire(limits),
      waiting:
        waiting === null || waiting.from <= now
          ? null
          : { ...toWire(waiting.limits), from: isoOf(waiting.from) },
      day: {
        since: isoOf(day.start),
        first_equity: toNumber(day.equity),
        paid: toNumber(day.paid),
        loss: toNumber(dailyLossOf(day, equity)),
        loss_max: lossMax === null ? null : toNumber(lossMax),
        trades: day.trades,
        cool_down_until: cooling === null ? null : isoOf(cooling),
      },
    };
  }

  return {
    get_own_limits: (caller: SignedIn, _: ArgsOf<'get_own_limits'>): Promise<OwnLimitsRow> =>
      read(db, caller.accountId, clock.now()),

    /** @throws AppError invalid_argument in words, not_found, account_archived */
    set_own_limits: async (caller: SignedIn, args: ArgsOf<'set_own_limits'>): Promise<OwnLimitsRow> => {
      const requested = toOwnLimits(args);
      const { accountId } = caller;
      const now = clock.now();
      const at = new Date(now);
      const row = await db.transaction(async (tx) => {
        const { rows: accounts } = await tx.query<{ status: string }>(
          'select status from app.trading_accounts where id = $1 and owner_id = $2 for no key update',
          [accountId, caller.userId],
        );
        const [account] = accounts;
        if (!account) throw new AppError('not_found', texts.accountGone);
        if (account.status === 'archived') throw new AppError('account_archived', texts.accountArchived);
        const { rows } = await tx.query<StoredRow>(
          'select limits, waiting, waiting_from from app.own_limits where account_id = $1',
          [accountId],
        );
        const stored = rows[0] && {
          limits: parseOwnLimits(rows[0].limits),
          waiting:
            rows[0].waiting_from === null
              ? null
              : { limits: parseOwnLimits(rows[0].waiting), from: rows[0].waiting_from.getTime() },
        };
        const next = changeOwnLimits(stored ?? null, requested, now);
        const limits = toOwnLimitsJson(next.limits);
        const waiting = next.waiting && toOwnLimitsJson(next.waiting.limits);
        await tx.query(
          `insert into app.own_limits (account_id, limits, waiting, waiting_from, updated_at) values ($1, $2, $3, $4, $5)
           on conflict (account_id) do update set limits = $2, waiting = $3, waiting_from = $4, updated_at = $5`,
          [
            ...[accountId, JSON.stringify(limits), waiting && JSON.stringify(waiting)],
            ...[next.waiting && new Date(next.waiting.from), at],
          ],
        );
        // A decision on the former limits fails at its write.
        await tx.query('update app.wallets set version = version + 1 where user_id = $1', [accountId]);
        await recordAuditEntry(tx, {
          ...{ at, actorId: caller.userId, subjectId: caller.userId },
          ...{ action: 'account.set_own_limits', objectId: accountId, detail: { limits, waiting } },
        });
        return read(tx, accountId, now);
      });
      reload([accountId]);
      return row;
    },
  };
}

/** @throws AppError invalid_argument */
function toOwnLimits(args: ArgsOf<'set_own_limits'>): OwnLimits {
  const loss = toDecimal(args.p_daily_loss ?? null, 'The daily loss is a positive amount of USDT.');
  const share = toDecimal(
    args.p_daily_loss_percent ?? null,
    'The daily loss is above 0 and up to 100 per cent.',
  );
  if (share !== null && share > HUNDRED_PERCENT)
    throw new AppError('invalid_argument', 'The daily loss is above 0 and up to 100 per cent.');
  return {
    dailyLoss: loss === null ? null : asMoney(loss),
    dailyLossPercent: share === null ? null : asPercent(share),
    tradesMax: args.p_trades_max ?? null,
    coolDownMinutes: args.p_cool_down_minutes ?? null,
  };
}

function toDecimal(given: string | number | null, fault: string): bigint | null {
  if (given === null) return null;
  const value = parseAmount(given);
  if (value !== null && value > 0n) return value;
  throw new AppError('invalid_argument', fault);
}
