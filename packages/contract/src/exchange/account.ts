/** Balances, positions, leverage, trades and income of the key's account. */
import { z } from 'zod';
import { wireOrder, wireTrade } from './order-shapes.ts';
import { readRoute, sent, tradeRoute, wire } from './route.ts';

const decimal = wire.decimal;
const keyword = z.string().min(1).max(30).toUpperCase();
const ofOneSymbol = z.object({ symbol: sent.symbol.optional() });
const done = z.object({ code: z.literal(200), msg: z.literal('success') });
const page = { startTime: sent.time.optional(), endTime: sent.time.optional() } as const;

const margins = {
  /** What positions hold and what waiting orders reserve. */
  initialMargin: decimal,
  maintMargin: decimal,
  positionInitialMargin: decimal,
  openOrderInitialMargin: decimal,
} as const;

const balance = {
  crossWalletBalance: decimal,
  crossUnPnl: decimal,
  availableBalance: decimal,
  maxWithdrawAmount: decimal,
  marginAvailable: z.boolean(),
  updateTime: wire.time,
} as const;

const position = {
  symbol: z.string(),
  positionSide: z.literal('BOTH'),
  /** Below zero for a short one. */
  positionAmt: decimal,
  entryPrice: decimal,
  breakEvenPrice: decimal,
  leverage: decimal,
  isolatedWallet: decimal,
  notional: decimal,
  ...margins,
  /** 0 where nothing was ever open. */
  updateTime: z.number().int(),
} as const;

const accountPosition = z.object({
  ...position,
  unrealizedProfit: decimal,
  isolated: z.literal(true),
  isolatedMargin: decimal,
  maxNotional: decimal,
  bidNotional: decimal,
  askNotional: decimal,
});

export const positionRisk = z.object({
  ...position,
  markPrice: decimal,
  unRealizedProfit: decimal,
  liquidationPrice: decimal,
  isolatedMargin: decimal,
  marginAsset: z.literal('USDT'),
  marginType: z.literal('isolated'),
  isAutoAddMargin: z.literal('false'),
  maxNotionalValue: decimal,
  bidNotional: decimal,
  askNotional: decimal,
  adl: z.number().int(),
});

const accountConfig = {
  feeTier: z.literal(0),
  canTrade: z.boolean(),
  canDeposit: z.literal(false),
  canWithdraw: z.literal(false),
  dualSidePosition: z.literal(false),
  multiAssetsMargin: z.literal(false),
  tradeGroupId: z.literal(-1),
  updateTime: wire.time,
} as const;

const accountState = z.object({
  ...accountConfig,
  totalInitialMargin: decimal,
  totalMaintMargin: decimal,
  totalWalletBalance: decimal,
  totalUnrealizedProfit: decimal,
  totalMarginBalance: decimal,
  totalPositionInitialMargin: decimal,
  totalOpenOrderInitialMargin: decimal,
  totalCrossWalletBalance: decimal,
  totalCrossUnPnl: decimal,
  availableBalance: decimal,
  maxWithdrawAmount: decimal,
  assets: z.array(
    z.object({
      asset: z.literal('USDT'),
      walletBalance: decimal,
      unrealizedProfit: decimal,
      marginBalance: decimal,
      ...margins,
      ...balance,
    }),
  ),
  positions: z.array(accountPosition),
});

const bracket = z.object({
  bracket: z.number().int(),
  initialLeverage: z.number().int(),
  notionalCap: z.number(),
  notionalFloor: z.number(),
  maintMarginRatio: z.number(),
  cum: z.number(),
});

const incomeTypes = ['TRANSFER', 'REALIZED_PNL', 'FUNDING_FEE', 'COMMISSION', 'INSURANCE_CLEAR'] as const;
export type IncomeType = (typeof incomeTypes)[number];

export const accountRoutes = [
  readRoute('account', 'GET', ['/fapi/v2/account', '/fapi/v3/account'], {
    weight: 5,
    summary:
      'Balance, margins and positions; version 2 has a row for every symbol, version 3 for those in use.',
    params: z.object({}),
    result: accountState,
  }),
  readRoute('balance', 'GET', ['/fapi/v2/balance', '/fapi/v3/balance'], {
    weight: 5,
    summary: 'The balance in USDT.',
    params: z.object({}),
    result: z.array(
      z.object({ accountAlias: z.string(), asset: z.literal('USDT'), balance: decimal, ...balance }),
    ),
  }),
  readRoute('positionRisk', 'GET', ['/fapi/v2/positionRisk', '/fapi/v3/positionRisk'], {
    weight: 5,
    summary:
      'Positions at the present mark; version 2 has a row for every symbol, version 3 for those in use.',
    params: ofOneSymbol,
    result: z.array(positionRisk),
  }),
  readRoute('leverageBracket', 'GET', ['/fapi/v1/leverageBracket'], {
    weight: 1,
    summary: 'Maintenance margin and greatest leverage by the value of a position.',
    params: ofOneSymbol,
    result: z.array(z.object({ symbol: z.string(), brackets: z.array(bracket) })),
  }),
  tradeRoute('setLeverage', 'POST', ['/fapi/v1/leverage'], {
    weight: 1,
    summary: "The leverage of a symbol's position and next orders.",
    params: z.object({ symbol: sent.symbol, leverage: sent.number }),
    result: z.object({ symbol: z.string(), leverage: z.number().int(), maxNotionalValue: decimal }),
  }),
  tradeRoute('setMarginType', 'POST', ['/fapi/v1/marginType'], {
    weight: 1,
    summary: 'ISOLATED is what every symbol has; CROSSED is refused.',
    params: z.object({ symbol: sent.symbol, marginType: keyword }),
    result: done,
  }),
  readRoute('positionMode', 'GET', ['/fapi/v1/positionSide/dual'], {
    weight: 30,
    summary: 'One position a symbol.',
    params: z.object({}),
    result: z.object({ dualSidePosition: z.literal(false) }),
  }),
  tradeRoute('setPositionMode', 'POST', ['/fapi/v1/positionSide/dual'], {
    weight: 1,
    summary: 'false is what every account has; true (hedge mode) is refused.',
    params: z.object({ dualSidePosition: sent.flag }),
    result: done,
  }),
  readRoute('assetMode', 'GET', ['/fapi/v1/multiAssetsMargin'], {
    weight: 30,
    summary: 'USDT is the one asset.',
    params: z.object({}),
    result: z.object({ multiAssetsMargin: z.literal(false) }),
  }),
  tradeRoute('setAssetMode', 'POST', ['/fapi/v1/multiAssetsMargin'], {
    weight: 1,
    summary: 'false is what every account has; true is refused.',
    params: z.object({ multiAssetsMargin: sent.flag }),
    result: done,
  }),
  readRoute('symbolConfig', 'GET', ['/fapi/v1/symbolConfig'], {
    weight: 5,
    summary: 'Leverage and margin type of symbols.',
    params: ofOneSymbol,
    result: z.array(
      z.object({
        symbol: z.string(),
        marginType: z.literal('ISOLATED'),
        isAutoAddMargin: z.literal(false),
        leverage: z.number().int(),
        maxNotionalValue: decimal,
      }),
    ),
  }),
  readRoute('accountConfig', 'GET', ['/fapi/v1/accountConfig'], {
    weight: 5,
    summary: 'What the account may do.',
    params: z.object({}),
    result: z.object(accountConfig),
  }),
  readRoute('commissionRate', 'GET', ['/fapi/v1/commissionRate'], {
    weight: 20,
    summary: 'What trades of the account are charged, as a fraction.',
    params: z.object({ symbol: sent.symbol }),
    result: z.object({ symbol: z.string(), makerCommissionRate: decimal, takerCommissionRate: decimal }),
  }),
  readRoute('userTrades', 'GET', ['/fapi/v1/userTrades'], {
    weight: 5,
    summary:
      'Trades of the last three months, the oldest first: from a number or an instant on, else the latest.',
    params: z.object({
      symbol: sent.symbol.optional(),
      orderId: sent.id.optional(),
      fromId: sent.id.optional(),
      ...page,
      limit: sent.limit(500, 1_000),
    }),
    result: z.array(wireTrade),
  }),
  readRoute('income', 'GET', ['/fapi/v1/income'], {
    weight: 30,
    summary: 'What changed the balance, the oldest first; of the last seven days where no instant is named.',
    params: z.object({
      symbol: sent.symbol.optional(),
      incomeType: keyword.optional(),
      ...page,
      page: sent.limit(1, 1_000),
      limit: sent.limit(100, 1_000),
    }),
    result: z.array(
      z.object({
        symbol: z.string(),
        incomeType: z.enum(incomeTypes),
        income: decimal,
        asset: z.literal('USDT'),
        info: z.string(),
        time: wire.time,
        tranId: wire.id,
        tradeId: z.string(),
      }),
    ),
  }),
  tradeRoute('adjustPositionMargin', 'POST', ['/fapi/v1/positionMargin'], {
    weight: 1,
    summary: 'Adds margin to a position (type 1) or takes it out (type 2).',
    params: z.object({
      symbol: sent.symbol,
      positionSide: keyword.optional(),
      amount: sent.decimal,
      type: z.enum(['1', '2']),
    }),
    result: z.object({
      amount: z.number(),
      code: z.literal(200),
      msg: z.string(),
      type: z.number().int(),
    }),
  }),
  readRoute('positionMarginHistory', 'GET', ['/fapi/v1/positionMargin/history'], {
    weight: 1,
    summary: 'Margin added to positions of a symbol and taken out.',
    params: z.object({
      symbol: sent.symbol,
      type: z.enum(['1', '2']).optional(),
      ...page,
      limit: sent.limit(500, 500),
    }),
    result: z.array(
      z.object({
        symbol: z.string(),
        type: z.number().int(),
        deltaType: z.literal('USER_ADJUST'),
        amount: decimal,
        asset: z.literal('USDT'),
        time: wire.time,
        positionSide: z.literal('BOTH'),
      }),
    ),
  }),
  readRoute('forceOrders', 'GET', ['/fapi/v1/forceOrders'], {
    weight: 20,
    summary: 'Liquidations of the account.',
    params: z.object({
      symbol: sent.symbol.optional(),
      autoCloseType: z.enum(['LIQUIDATION', 'ADL']).optional(),
      ...page,
      limit: sent.limit(50, 100),
    }),
    result: z.array(wireOrder),
  }),
  readRoute('orderRateLimit', 'GET', ['/fapi/v1/rateLimit/order'], {
    weight: 1,
    summary: 'How many orders a key may send.',
    params: z.object({}),
    result: z.array(
      z.object({
        rateLimitType: z.literal('ORDERS'),
        interval: z.enum(['SECOND', 'MINUTE']),
        intervalNum: z.number().int(),
        limit: z.number().int(),
      }),
    ),
  }),
  readRoute('adlQuantile', 'GET', ['/fapi/v1/adlQuantile'], {
    weight: 5,
    summary: 'No position is deleveraged here: always 0.',
    params: ofOneSymbol,
    result: z.array(z.object({ symbol: z.string(), adlQuantile: z.object({ BOTH: z.literal(0) }) })),
  }),
] as const;
