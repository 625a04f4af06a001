/**
 * The market's commands of `/rest/v1/rpc`: bars, prices, and what staff do about them. Invariants: an act of staff has a
 * reason and is in the audit log before it takes effect; nobody does one while viewing as somebody else.
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
import { toDecimalString, toNumber } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { type Act, recordAct, requireNotActing, requireReason } from '../accounts/index.ts';
import type { Candles } from './candles/index.ts';
import type { ConfiguredFeed } from './configured-feed.ts';
import type { HeldPrice, Hub } from './hub.ts';
import { tickOf } from './price.ts';
import { failedToFetch, noPriceOf, oneLine, PriceError, toldTexts } from './price-error.ts';
import { readActingShocks, writeShock } from './simulation-store.ts';

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
const toldOf = ({ symbol, kind, price, source, last }: HeldPrice) => ({
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

  const actOf = (caller: SignedIn, act: Pick<Act, 'action' | 'reason' | 'detail'>): Act => ({
    at: new Date(timers.now()),
    actorId: caller.userId,
    subjectId: null,
    ...act,
  });

  /**
   * What a provider did not give is told with its causes, as far as they are texts for people; operators find the whole in
   * the log. Anything else stays the fault or the refusal that it is.
   */
  function unavailable(symbol: string, error: unknown, text: string): unknown {
    if (!(error instanceof PriceError)) return error;
    log.debug({ symbol, why: oneLine(error) }, 'a provider did not give what was asked for');
    const details = toldTexts(error).filter((told) => told !== text);
    return new AppError('source_unavailable', text, { details: details.join(': ') });
  }

  /** Symbols whose held price is being accepted or rejected: each is decided once, and audited once. */
  const underDecision = new Set<string>();
  async function deciding(symbol: string, decide: () => Promise<void>): Promise<void> {
    underDecision.add(symbol);
    try {
      await decide();
    } finally {
      underDecision.delete(symbol);
    }
  }

  /** @throws AppError `reason_required`, `unknown_symbol`, `not_found` when no price of it is held back, `conflict` for another one */
  function heldOf(caller: SignedIn, args: ArgsOf<typeof acceptPrice> | ArgsOf<typeof rejectPrice>) {
    const { p_symbol: symbol, p_price: seen } = args;
    requireNotActing(caller);
    const reason = requireReason(args.p_reason);
    requireListed(symbol);
    const held = hub.holds().find((hold) => hold.symbol === symbol);
    if (!held || underDecision.has(symbol)) throw new AppError('not_found', texts.noPriceHeld(symbol));
    if (seen != null && seen !== toNumber(held.price)) {
      throw new AppError('conflict', texts.otherPriceHeld(symbol, toDecimalString(held.price)));
    }
    return { symbol, held, reason };
  }

  /** How many prices each user waits for. */
  const fetching = new Map<string, number>();

  return {
    /**
     * Who is not signed in sees of live sources what is stored of their providers' bars: no visitor has us ask for more.
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
        throw unavailable(symbol, error, texts.chartUnavailable);
      }
    },

    /** CALL-49, A33. */
    async update_position_mark_prices(): Promise<{ prices_updated: number }> {
      return { prices_updated: await storePrices() };
    },

    /** A37, FEED-67. @throws AppError `unknown_symbol`, `busy` for who waits for many, `source_unavailable` with the cause in its details */
    async fetch_price(caller: SignedIn, { p_symbol: symbol }: ArgsOf<typeof fetchPrice>): Promise<Tick> {
      requireListed(symbol);
      const { userId } = caller;
      const waiting = fetching.get(userId) ?? 0;
      if (waiting >= fetchesPerUser) throw busy();
      fetching.set(userId, waiting + 1);
      try {
        await running().configured.feed.fetch?.(symbol);
        const price = hub.price(symbol);
        if (!price) throw failedToFetch(symbol, noPriceOf(symbol));
        return tickOf(price);
      } catch (error) {
        throw unavailable(symbol, error, texts.fetchPriceOfFailed(symbol));
      } finally {
        const left = (fetching.get(userId) ?? 1) - 1;
        if (left > 0) fetching.set(userId, left);
        else fetching.delete(userId);
      }
    },

    async get_market_controls(): Promise<ResultOf<typeof getMarketControls>> {
      const { replay } = running().configured;
      const shocks = await readActingShocks(db, timers.now());
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
      const { symbol, held, reason } = heldOf(caller, args);
      await deciding(symbol, async () => {
        await recordAct(db, actOf(caller, { action: 'price.accept', reason, detail: toldOf(held) }));
        // The price of the audit log, whatever has come meanwhile. Where the market has confirmed it by itself, it is done.
        hub.acceptHeld(held);
      });
      return { symbol, price: toNumber(held.price) };
    },

    /** A106. @throws AppError `unknown_symbol`, `not_found` when none is held back */
    async reject_price(
      caller: SignedIn,
      args: ArgsOf<typeof rejectPrice>,
    ): Promise<ResultOf<typeof rejectPrice>> {
      const { symbol, held, reason } = heldOf(caller, args);
      await deciding(symbol, async () => {
        await recordAct(db, actOf(caller, { action: 'price.reject', reason, detail: toldOf(held) }));
        hub.rejectHeld(held);
      });
      return { symbol, price: toNumber(held.price) };
    },

    /** @throws AppError `not_allowed` while nothing recorded plays */
    async set_replay(
      caller: SignedIn,
      { p_paused, p_speed, p_reason }: ArgsOf<typeof setReplay>,
    ): Promise<ResultOf<typeof setReplay>> {
      requireNotActing(caller);
      const reason = requireReason(p_reason);
      const { replay } = running().configured;
      if (!replay) throw new AppError('not_allowed', texts.notReplaying);
      const change = {
        ...(p_paused != null && { paused: p_paused }),
        ...(p_speed != null && { speed: p_speed }),
      };
      const { paused: wasPaused, speed: oldSpeed } = replay.controls();
      const before = { paused: wasPaused, speed: oldSpeed };
      const detail = { before, after: { ...before, ...change } };
      await recordAct(db, actOf(caller, { action: 'replay.set', reason, detail }));
      const { paused, speed } = replay.set(change);
      return { paused, speed };
    },

    /** A repeat of a client id moves nothing again. @throws AppError `unknown_symbol`, `not_allowed` for a price that is not simulated, `idempotency_conflict` */
    async shock_price(
      caller: SignedIn,
      args: ArgsOf<typeof shockPrice>,
    ): Promise<ResultOf<typeof shockPrice>> {
      const { p_symbol: symbol, p_percent: percent, p_half_life_minutes, p_client_id: clientId } = args;
      requireNotActing(caller);
      const reason = requireReason(args.p_reason);
      requireListed(symbol);
      const { feed, shock } = running().configured;
      if (!shock || feed.sourceOf(symbol) !== 'simulated') {
        throw new AppError('not_allowed', texts.notSimulated(symbol));
      }
      const moved = { symbol, percent, at: timers.now(), halfLifeMinutes: p_half_life_minutes ?? null };
      const detail = { symbol, percent, half_life_minutes: moved.halfLifeMinutes };
      const act = actOf(caller, { action: 'price.shock', reason, detail });
      const by = clientId == null ? null : { adminId: caller.userId, clientId };
      const written = await db.transaction((tx) => writeShock(tx, moved, act, by));
      if (written === 'new') shock(moved);
      const { at } = written === 'new' ? moved : written;
      return { symbol, percent, at: new Date(at).toISOString() };
    },
  };
}
