/** The market's procedures of `/rest/v1/rpc`: bars and prices. Staff's are in `controls.ts`. */
import {
  AppError,
  busy,
  type Caller,
  type Candle,
  type fetchPrice,
  type getCandles,
  type SignedIn,
  type Tick,
  texts,
} from '@fulcrum/contract';
import { marketTypeOf } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Timers } from '../../platform/clock/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { UseCounter } from '../../platform/rate-limit/use-counter.ts';
import type { Candles } from './candles/index.ts';
import { unquotedError } from './catalogue/index.ts';
import type { ConfiguredFeed } from './configured-feed.ts';
import type { Hub } from './hub.ts';
import { tickOf } from './price.ts';
import { fetchFailedError, noPriceError, PriceError, toLogLine, userMessages } from './price-error.ts';
import { createSparklines } from './sparklines.ts';

const candlesByDefault = 300;
/** Prices that one user may be waiting for at once; a screen waits for one or two. */
const fetchesPerUser = 8;

export interface ProcedureDependencies {
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

/** @throws AppError `unknown_symbol` */
export const requireListedIn =
  ({ isListed }: Pick<ProcedureDependencies, 'isListed'>) =>
  (symbol: string): void => {
    if (!isListed(symbol)) throw new AppError('unknown_symbol', texts.unknownSymbol(symbol));
  };

type ArgsOf<P extends { readonly args: z.ZodType }> = z.output<P['args']>;

export function createProcedures(deps: ProcedureDependencies) {
  const { timers, log, hub, isListed, running, storePrices } = deps;

  const requireListed = requireListedIn(deps);

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

  const readSparklines = createSparklines({
    log,
    timers,
    isListed,
    candles: (...query) => running().candles.candles(...query),
  });

  /** How many prices each user waits for. */
  const fetching = new UseCounter();

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

    get_sparklines: readSparklines,

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
      if (fetching.of(caller.userId) >= fetchesPerUser) throw busy();
      const end = fetching.begin(caller.userId);
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
        end();
      }
    },
  };
}
