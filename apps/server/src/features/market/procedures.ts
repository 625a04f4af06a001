/**
 * The market's commands of `/rest/v1/rpc`: bars, prices, and the staff actions on them. Invariants: a staff action has a
 * reason and is in the audit log before it takes effect; none is possible during impersonation.
 */
import {
  AppError,
  type acceptPrice,
  busy,
  type Caller,
  type Candle,
  type fetchPrice,
  type getCandles,
  type getMarketControls,
  type rejectPrice,
  type SignedIn,
  type setReplay,
  type shockPrice,
  type Tick,
  texts,
} from '@fulcrum/contract';
import { marketTypeOf, toDecimalString, toNumber } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { type AuditEntry, recordAuditEntry, requireReason } from '../audit/index.ts';
import { refuseWhileImpersonating } from '../identity/index.ts';
import type { Candles } from './candles/index.ts';
import { unquotedError } from './catalogue/index.ts';
import type { ConfiguredFeed } from './configured-feed.ts';
import type { JumpView } from './feeds/replay/index.ts';
import type { HeldPrice, Hub } from './hub.ts';
import { tickOf } from './price.ts';
import { fetchFailedError, noPriceError, PriceError, toLogLine, userMessages } from './price-error.ts';
import { readActiveShocks, writeShock } from './simulation-store.ts';

const candlesByDefault = 300;
/** Prices that one user may be waiting for at once; a screen waits for one or two. */
const fetchesPerUser = 8;

export interface ProcedureDependencies {
  readonly db: Database;
  readonly timers: Timers;
  readonly log: Log;
  readonly hub: Hub;
  readonly isListed: (symbol: string) => boolean;
  /** What runs. @throws AppError `busy` before the start */
  readonly running: () => {
    readonly configured: Pick<ConfiguredFeed, 'feed' | 'replay' | 'shock'>;
    readonly candles: Pick<Candles, 'candles'>;
  };
  /** Stores what changed and waits for it; resolves with how many prices. @throws AppError `busy` */
  readonly storePrices: () => Promise<number>;
}

/** What was decided about, for the audit log. */
const toAuditDetail = ({ symbol, kind, price, source, last }: HeldPrice) => ({
  symbol,
  kind,
  price: toNumber(price),
  source,
  last_price: toNumber(last.price),
  last_source: last.source,
});

type ArgsOf<P extends { readonly args: z.ZodType }> = z.output<P['args']>;
type ResultOf<P extends { readonly result: z.ZodType }> = z.output<P['result']>;

export function createProcedures(deps: ProcedureDependencies) {
  const { db, timers, log, hub, isListed, running, storePrices } = deps;

  function requireListed(symbol: string): void {
    if (!isListed(symbol)) throw new AppError('unknown_symbol', texts.unknownSymbol(symbol));
  }

  const toAction = (
    caller: SignedIn,
    action: Pick<AuditEntry, 'action' | 'reason' | 'detail'>,
  ): AuditEntry => ({
    at: new Date(timers.now()),
    actorId: caller.userId,
    subjectId: null,
    ...action,
  });

  /**
   * Converts a provider's failure into an error with its causes, as far as they have texts for users; the log has all of
   * them. Any other error passes through.
   */
  function toUnavailableError(symbol: string, error: unknown, text: string): unknown {
    if (!(error instanceof PriceError)) return error;
    log.debug({ symbol, why: toLogLine(error) }, 'a provider did not deliver the requested data');
    const details = userMessages(error).filter((message) => message !== text);
    return new AppError('source_unavailable', text, { details: details.join(': ') });
  }

  /** Symbols with a running decision on a held price or a recorded jump: each is decided once, and audited once. */
  const underDecision = new Set<string>();
  async function withDecision<R>(symbol: string, decide: () => Promise<R>): Promise<R> {
    underDecision.add(symbol);
    try {
      return await decide();
    } finally {
      underDecision.delete(symbol);
    }
  }

  /** @throws AppError `reason_required`, `unknown_symbol`, `not_found` when no price of it is held back, `conflict` for another one */
  function requireHeld(caller: SignedIn, args: ArgsOf<typeof acceptPrice> | ArgsOf<typeof rejectPrice>) {
    const { p_symbol: symbol, p_price: expectedPrice } = args;
    refuseWhileImpersonating(caller);
    const reason = requireReason(args.p_reason);
    requireListed(symbol);
    const held = hub.holds().find((hold) => hold.symbol === symbol);
    if (!held || underDecision.has(symbol)) throw new AppError('not_found', texts.noPriceHeld(symbol));
    if (expectedPrice != null && expectedPrice !== toNumber(held.price)) {
      throw new AppError('conflict', texts.otherPriceHeld(symbol, toDecimalString(held.price)));
    }
    return { symbol, held, reason };
  }

  /** @throws AppError `not_found` when it waits at no jump, `conflict` for another one, and while another decision runs */
  function requireJump(jump: JumpView | null, { p_symbol, p_at }: ArgsOf<typeof setReplay>): JumpView {
    const isExpected = p_at == null || (jump !== null && Date.parse(p_at) === Date.parse(jump.at));
    if (p_symbol != null && jump !== null && p_symbol !== jump.symbol)
      throw new AppError('conflict', texts.noSuchJump);
    if (!isExpected || (jump !== null && underDecision.has(jump.symbol)))
      throw new AppError('conflict', texts.changedMeanwhile);
    if (jump === null) throw new AppError('not_found', texts.noSuchJump);
    return jump;
  }

  /** How many prices each user waits for. */
  const fetching = new Map<string, number>();

  return {
    /**
     * Signed-out visitors get only stored bars of live sources: no visitor causes requests to a provider.
     * @throws AppError `unknown_symbol`, `source_unavailable` when a provider does not answer and nothing is known
     */
    async get_candles(caller: Caller, args: ArgsOf<typeof getCandles>): Promise<Candle[]> {
      const { p_symbol: symbol, p_timeframe: timeframe, p_limit, p_before } = args;
      requireListed(symbol);
      const before = p_before ? Date.parse(p_before) : null;
      try {
        const query = { limit: p_limit ?? candlesByDefault, before };
        const depth = caller.role === 'anon' ? 'stored' : 'whole';
        return await running().candles.candles(symbol, timeframe, query, depth);
      } catch (error) {
        throw toUnavailableError(symbol, error, texts.chartUnavailable);
      }
    },

    /** Stores the last price of each symbol and joins a refresh that is already running (CALL-49, A33). */
    async update_position_mark_prices(): Promise<{ prices_updated: number }> {
      return { prices_updated: await storePrices() };
    },

    /**
     * Fetches the price of a symbol at once, within the budget of the provider (A37, FEED-67).
     * @throws AppError `unknown_symbol`, `busy` for who waits for many, `source_unavailable` with the cause in its details
     */
    async fetch_price(caller: SignedIn, { p_symbol: symbol }: ArgsOf<typeof fetchPrice>): Promise<Tick> {
      if (!isListed(symbol)) {
        // FEED-65, FEED-66: the specified pattern decides for a symbol that no catalogue lists.
        const why = marketTypeOf(symbol) === 'crypto' ? noPriceError(symbol) : unquotedError(symbol);
        throw new AppError('unknown_symbol', texts.unknownSymbol(symbol), { details: why.message });
      }
      const { userId } = caller;
      const waiting = fetching.get(userId) ?? 0;
      if (waiting >= fetchesPerUser) throw busy();
      fetching.set(userId, waiting + 1);
      try {
        const { feed } = running().configured;
        feed.emitCurrent?.(symbol);
        await feed.fetch?.(symbol);
        const price = hub.price(symbol);
        if (!price) throw fetchFailedError(symbol, noPriceError(symbol));
        return tickOf(price);
      } catch (error) {
        throw toUnavailableError(symbol, error, texts.fetchPriceOfFailed(symbol));
      } finally {
        const left = (fetching.get(userId) ?? 1) - 1;
        if (left > 0) fetching.set(userId, left);
        else fetching.delete(userId);
      }
    },

    async get_market_controls(): Promise<ResultOf<typeof getMarketControls>> {
      const { replay } = running().configured;
      const shocks = await readActiveShocks(db, timers.now());
      return {
        holds: hub.holds().map(({ symbol, kind, price, source, last, since }) => ({
          symbol,
          kind,
          price: toNumber(price),
          source,
          last_price: toNumber(last.price),
          last_source: last.source,
          since: new Date(since).toISOString(),
        })),
        replay: replay?.controls() ?? null,
        shocks: shocks.map(({ symbol, percent, halfLifeMinutes, at }) => ({
          symbol,
          percent,
          half_life_minutes: halfLifeMinutes,
          at: new Date(at).toISOString(),
        })),
      };
    },

    /** A106, and where a symbol in use gets another source. @throws AppError `unknown_symbol`, `not_found` when none is held back */
    async accept_price(
      caller: SignedIn,
      args: ArgsOf<typeof acceptPrice>,
    ): Promise<ResultOf<typeof acceptPrice>> {
      const { symbol, held, reason } = requireHeld(caller, args);
      await withDecision(symbol, async () => {
        await recordAuditEntry(
          db,
          toAction(caller, { action: 'price.accept', reason, detail: toAuditDetail(held) }),
        );
        // The price of the audit log, whatever has come meanwhile. Where the market has confirmed it by itself, it is done.
        hub.acceptHeld(held);
      });
      return { symbol, price: toNumber(held.price) };
    },

    /** Drops the price that is held back (A106). @throws AppError `unknown_symbol`, `not_found` when none is held back */
    async reject_price(
      caller: SignedIn,
      args: ArgsOf<typeof rejectPrice>,
    ): Promise<ResultOf<typeof rejectPrice>> {
      const { symbol, held, reason } = requireHeld(caller, args);
      await withDecision(symbol, async () => {
        await recordAuditEntry(
          db,
          toAction(caller, { action: 'price.reject', reason, detail: toAuditDetail(held) }),
        );
        hub.rejectHeld(held);
      });
      return { symbol, price: toNumber(held.price) };
    },

    /** @throws AppError `not_allowed` while no recording plays, `not_found` and `conflict` for a jump that it does not wait at */
    async set_replay(caller: SignedIn, args: ArgsOf<typeof setReplay>): Promise<ResultOf<typeof setReplay>> {
      const { p_paused, p_speed, p_jump } = args;
      refuseWhileImpersonating(caller);
      const reason = requireReason(args.p_reason);
      const { replay } = running().configured;
      if (!replay) throw new AppError('not_allowed', texts.notReplaying);
      const change = {
        ...(p_paused != null && { paused: p_paused }),
        ...(p_speed != null && { speed: p_speed }),
      };
      const controls = replay.controls();
      const jump = p_jump == null ? null : requireJump(controls.jump, args);
      const before = { paused: controls.paused, speed: controls.speed };
      const decided = jump && { jump: { ...jump, decision: p_jump } };
      const detail = { before, after: { ...before, ...change }, ...decided };
      const action = toAction(caller, { action: 'replay.set', reason, detail });
      const set = async () => {
        await recordAuditEntry(db, action);
        const { paused, speed } = replay.set({ ...change, ...(p_jump != null && { atJump: p_jump }) });
        return { paused, speed };
      };
      // No other decision runs meanwhile, so it still waits there.
      return jump ? await withDecision(jump.symbol, set) : await set();
    },

    /**
     * A repeated client id moves nothing.
     * @throws AppError `unknown_symbol`, `not_allowed` for a price that is not simulated, `idempotency_conflict`
     */
    async shock_price(
      caller: SignedIn,
      args: ArgsOf<typeof shockPrice>,
    ): Promise<ResultOf<typeof shockPrice>> {
      const { p_symbol: symbol, p_percent: percent, p_half_life_minutes, p_client_id: clientId } = args;
      refuseWhileImpersonating(caller);
      const reason = requireReason(args.p_reason);
      requireListed(symbol);
      const { feed, shock } = running().configured;
      if (!shock || feed.sourceOf(symbol) !== 'simulated') {
        throw new AppError('not_allowed', texts.notSimulated(symbol));
      }
      const newShock = { symbol, percent, at: timers.now(), halfLifeMinutes: p_half_life_minutes ?? null };
      const detail = { symbol, percent, half_life_minutes: newShock.halfLifeMinutes };
      const action = toAction(caller, { action: 'price.shock', reason, detail });
      const by = clientId == null ? null : { adminId: caller.userId, clientId };
      const written = await db.transaction((tx) => writeShock(tx, newShock, action, by));
      if (written === 'new') shock(newShock);
      const { at } = written === 'new' ? newShock : written;
      return { symbol, percent, at: new Date(at).toISOString() };
    },
  };
}
