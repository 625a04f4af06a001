/** The handlers of balances, positions, leverage, trades and income at `/fapi`. */
import type { accountRoutes } from '@fulcrum/contract/exchange';
import {
  dayMs,
  fillTerms,
  greatestValueAt,
  parseDecimal,
  type TradingPair,
  toDecimalString,
} from '@fulcrum/domain';
import { defaultLimits } from '../../../platform/limits/index.ts';
import { ExchangeError, exchangeErrors } from '../errors.ts';
import type { HandlersOf } from '../handlers.ts';
import type { OrderDependencies } from '../orders/dependencies.ts';
import { parseExact } from '../orders/order-input.ts';
import { historyMs } from '../orders/order-reads.ts';
import { decimal, orderOfTrade, toWireTrade } from '../orders/order-wire.ts';
import { orderRateLimits } from '../rate-limits.ts';
import { bracketsOf, marksOf, symbolStates, toAccountPosition, toPositionRisk, totalsOf } from './figures.ts';
import { createAccountReads, leverageOf } from './reads.ts';

/** Of lists of income and of margin that name no instant. */
const incomeMs = 7 * dayMs;
const modes = { feeTier: 0, dualSidePosition: false, multiAssetsMargin: false, tradeGroupId: -1 } as const;
const funding = { canDeposit: false, canWithdraw: false } as const;
const success = { code: 200, msg: 'success' } as const;

export function createAccountHandlers(deps: OrderDependencies): HandlersOf<typeof accountRoutes> {
  const { db, clock, market, symbols, trading, withReadSlot } = deps;
  const account = createAccountReads(db);
  const markOf = marksOf(market);
  const pairsOf = (id: string | undefined): readonly TradingPair[] =>
    id === undefined ? symbols.pairs() : [symbols.pairOf(id)];
  const symbolOf = (id: string | undefined): string | null =>
    id === undefined ? null : symbols.pairOf(id).symbol;
  /** Version 2 has a row for every symbol. */
  const whichOf = (path: string) => (path.includes('/v2/') ? 'all' : 'in use');
  const periodOf = ({
    startTime,
    endTime,
  }: {
    startTime?: number | undefined;
    endTime?: number | undefined;
  }) => {
    const to = (endTime ?? clock.now()) + 1;
    const from = Math.max(startTime ?? to - incomeMs, clock.now() - historyMs);
    return { from: new Date(from), to: new Date(to) };
  };

  return {
    account: ({ key, path }) =>
      withReadSlot(key.userId, async () => {
        const state = await account.state(key.accountId);
        const { crossWalletBalance, crossUnPnl, updateTime, ...sums } = totalsOf(state, market.pair, markOf);
        const balance = { crossWalletBalance, crossUnPnl, updateTime };
        return {
          ...modes,
          ...funding,
          canTrade: !state.isRestricted,
          updateTime,
          totalInitialMargin: sums.initialMargin,
          totalMaintMargin: sums.maintMargin,
          totalWalletBalance: sums.walletBalance,
          totalUnrealizedProfit: sums.unrealizedProfit,
          totalMarginBalance: sums.marginBalance,
          totalPositionInitialMargin: sums.positionInitialMargin,
          totalOpenOrderInitialMargin: sums.openOrderInitialMargin,
          totalCrossWalletBalance: crossWalletBalance,
          totalCrossUnPnl: crossUnPnl,
          availableBalance: sums.availableBalance,
          maxWithdrawAmount: sums.maxWithdrawAmount,
          assets: [{ asset: 'USDT', ...sums, ...balance, marginAvailable: true }],
          positions: symbolStates(state, symbols.pairs(), symbols.idOf, whichOf(path)).map((row) =>
            toAccountPosition(row, markOf),
          ),
        };
      }),

    balance: ({ key }) =>
      withReadSlot(key.userId, async () => {
        const sums = totalsOf(await account.state(key.accountId), market.pair, markOf);
        const { crossWalletBalance, crossUnPnl, availableBalance, maxWithdrawAmount, updateTime } = sums;
        return [
          {
            accountAlias: key.accountId.slice(-8),
            asset: 'USDT',
            balance: sums.walletBalance,
            ...{ crossWalletBalance, crossUnPnl, availableBalance, maxWithdrawAmount },
            marginAvailable: true,
            updateTime,
          },
        ];
      }),

    positionRisk: ({ key, path, params }) =>
      withReadSlot(key.userId, async () => {
        const state = await account.state(key.accountId);
        return symbolStates(state, pairsOf(params.symbol), symbols.idOf, whichOf(path)).map((row) =>
          toPositionRisk(row, markOf),
        );
      }),

    leverageBracket: ({ params }) =>
      pairsOf(params.symbol).map((pair) => ({
        symbol: symbols.idOf(pair.symbol),
        brackets: bracketsOf(pair),
      })),

    setLeverage: async ({ key, params: { symbol, leverage } }) => {
      const pair = symbols.pairOf(symbol);
      await trading.procedures.set_leverage(key.caller, { p_symbol: pair.symbol, p_leverage: leverage });
      return {
        symbol,
        leverage,
        maxNotionalValue: toDecimalString(greatestValueAt(pair.type, leverage) ?? 0n),
      };
    },

    setMarginType: ({ params: { symbol, marginType } }) => {
      symbols.pairOf(symbol);
      if (marginType === 'ISOLATED') return success;
      throw marginType === 'CROSSED'
        ? new ExchangeError(400, -4167, 'Cross margin is not offered here; every position is isolated.')
        : exchangeErrors.illegal('marginType', 'must be ISOLATED or CROSSED');
    },
    positionMode: () => ({ dualSidePosition: false }),
    setPositionMode: ({ params }) => {
      if (!params.dualSidePosition) return success;
      throw new ExchangeError(400, -4084, 'Hedge mode is not offered here; a symbol has one position.');
    },
    assetMode: () => ({ multiAssetsMargin: false }),
    setAssetMode: ({ params }) => {
      if (!params.multiAssetsMargin) return success;
      throw new ExchangeError(400, -4167, 'Multi-assets mode is not offered here; USDT is the one asset.');
    },

    symbolConfig: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const leverages = await account.leverages(key.accountId);
        return pairsOf(params.symbol).map(({ symbol, type }) => {
          const leverage = leverageOf(leverages, symbol);
          return {
            symbol: symbols.idOf(symbol),
            marginType: 'ISOLATED',
            isAutoAddMargin: false,
            leverage,
            maxNotionalValue: toDecimalString(greatestValueAt(type, leverage) ?? 0n),
          } as const;
        });
      }),

    accountConfig: ({ key }) =>
      withReadSlot(key.userId, async () => {
        const { isRestricted, updatedAt } = await account.state(key.accountId);
        return { ...modes, ...funding, canTrade: !isRestricted, updateTime: updatedAt.getTime() };
      }),

    commissionRate: ({ key, params: { symbol } }) =>
      withReadSlot(key.userId, async () => {
        symbols.pairOf(symbol);
        const profile = await account.fillProfile(key.accountId);
        if (profile === 'exact') throw exchangeErrors.rejectedKey();
        const { makerFee, takerFee } = fillTerms[profile];
        return {
          symbol,
          makerCommissionRate: toDecimalString(makerFee),
          takerCommissionRate: toDecimalString(takerFee),
        };
      }),

    userTrades: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const { orderId, fromId, startTime, endTime, limit } = params;
        const page = { symbol: symbolOf(params.symbol), fromNumber: fromId, startTime, endTime, limit };
        const rows = await deps.reads.trades(key.accountId, page, orderId);
        return rows.map((row) => toWireTrade(row, symbols.idOf(row.symbol)));
      }),

    income: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const { limit, page, startTime, incomeType = null } = params;
        const rows = await account.income(key.accountId, {
          ...periodOf(params),
          ...{ symbol: symbolOf(params.symbol), type: incomeType },
          ...{ limit, offset: (page - 1) * limit, isForward: startTime !== undefined },
        });
        return rows.map(({ id, symbol, type, amount, kind, at }) => ({
          symbol: symbol === null ? '' : symbols.idOf(symbol),
          incomeType: type,
          income: decimal(amount),
          asset: 'USDT',
          info: kind.toUpperCase(),
          time: at.getTime(),
          tranId: Number(id),
          tradeId: '',
        }));
      }),

    adjustPositionMargin: async ({ key, params: { symbol, amount, type, positionSide = 'BOTH' } }) => {
      if (positionSide !== 'BOTH') throw exchangeErrors.onlyOneWay();
      const pair = symbols.pairOf(symbol);
      const id = await account.openPositionId(key.accountId, pair.symbol);
      if (id === undefined) throw new ExchangeError(400, -4054, 'Cannot add position margin: position is 0.');
      const units = parseExact(amount);
      await trading.procedures.adjust_margin(key.caller, {
        p_position_id: id,
        p_amount: toDecimalString(type === '1' ? units : -units),
      });
      return {
        amount: Number(amount),
        code: 200,
        msg: 'Successfully modify position margin.',
        type: Number(type),
      };
    },

    positionMarginHistory: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const { from, to } = periodOf(params);
        const { symbol } = symbols.pairOf(params.symbol);
        const rows = await account.marginChanges(key.accountId, {
          ...{ symbol, from, to, limit: params.limit },
          type: params.type === undefined ? null : Number(params.type),
        });
        return rows.map(({ amount, at }) => {
          const units = parseDecimal(amount);
          return {
            symbol: params.symbol,
            type: units > 0n ? 1 : 2,
            deltaType: 'USER_ADJUST',
            amount: toDecimalString(units > 0n ? units : -units),
            asset: 'USDT',
            time: at.getTime(),
            positionSide: 'BOTH',
          } as const;
        });
      }),

    forceOrders: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        if (params.autoCloseType === 'ADL') return [];
        const { startTime, endTime, limit } = params;
        const page = { symbol: symbolOf(params.symbol), startTime, endTime, limit };
        const rows = await deps.reads.liquidations(key.accountId, page);
        return rows.map((row) => orderOfTrade(row, symbols.idOf(row.symbol)));
      }),

    orderRateLimit: () => orderRateLimits(defaultLimits),

    adlQuantile: ({ key, params }) =>
      withReadSlot(key.userId, async () => {
        const state = await account.state(key.accountId);
        return symbolStates(state, pairsOf(params.symbol), symbols.idOf, 'in use')
          .filter(({ position }) => position !== undefined)
          .map(({ id }) => ({ symbol: id, adlQuantile: { BOTH: 0 } }) as const);
      }),
  };
}
