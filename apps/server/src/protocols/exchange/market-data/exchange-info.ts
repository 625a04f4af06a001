/**
 * The symbols as contracts: filters are the pair's own limits, margins the first bracket of its market. Invariant: a filter states
 * what the engine refuses, and nothing else. The engine has no bound of a price relative to the mark, so `PERCENT_PRICE` allows all.
 */
import type { exchangeInfo } from '@fulcrum/contract/exchange';
import {
  decimalsOf,
  EXCHANGE_QUOTE,
  formatFixed,
  leastValueAt,
  MAX_OPEN_ORDERS,
  type MarketType,
  maintenanceBrackets,
  orderTypes,
  type TradingPair,
  timesInForce,
  toDecimalString,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { ListedContract } from '../symbols.ts';

type Answer = z.input<typeof exchangeInfo.result>;
export type ContractRow = Answer['symbols'][number];

/** 1 January 2015 UTC: no simulated market has a past before it. */
export const marketsBegin = 1_420_070_400_000;
/** How Binance dates the end of what never ends. */
const never = 4_133_404_800_000;
/** Of base assets and values: money is exact to so many decimals. */
const assetDecimals = 8;

export const settlementAssets: Answer['assets'] = [
  { asset: EXCHANGE_QUOTE, marginAvailable: true, autoAssetExchange: '0' },
];

interface ContractTerms {
  readonly isTrading: boolean;
  readonly underlyingType: string;
}

export function toContractRow(
  { id, baseAsset, pair }: ListedContract,
  { isTrading, underlyingType }: ContractTerms,
): ContractRow {
  const { maxLeverage, mmr } = firstBracket(pair.type);
  return {
    symbol: id,
    pair: id,
    contractType: 'PERPETUAL',
    deliveryDate: never,
    onboardDate: marketsBegin,
    status: isTrading ? 'TRADING' : 'SETTLING',
    maintMarginPercent: (Number(mmr) / 100).toFixed(4),
    requiredMarginPercent: (100 / maxLeverage).toFixed(4),
    baseAsset,
    quoteAsset: EXCHANGE_QUOTE,
    marginAsset: EXCHANGE_QUOTE,
    pricePrecision: decimalsOf(pair.tickSize),
    quantityPrecision: decimalsOf(pair.stepSize),
    baseAssetPrecision: assetDecimals,
    quotePrecision: assetDecimals,
    underlyingType,
    underlyingSubType: [pair.type],
    triggerProtect: '0',
    liquidationFee: '0',
    marketTakeBound: '1',
    filters: toFilters(pair),
    orderTypes: [...orderTypes],
    timeInForce: [...timesInForce],
  };
}

function toFilters({ type, ...limits }: TradingPair): ContractRow['filters'] {
  const lot = {
    minQty: toDecimalString(limits.minQty),
    maxQty: toDecimalString(limits.maxQty),
    stepSize: toDecimalString(limits.stepSize),
  };
  return [
    {
      filterType: 'PRICE_FILTER',
      minPrice: toDecimalString(limits.minPrice),
      maxPrice: toDecimalString(limits.maxPrice),
      tickSize: toDecimalString(limits.tickSize),
    },
    { filterType: 'LOT_SIZE', ...lot },
    { filterType: 'MARKET_LOT_SIZE', ...lot },
    { filterType: 'MAX_NUM_ORDERS', limit: MAX_OPEN_ORDERS },
    {
      filterType: 'MIN_NOTIONAL',
      notional: formatFixed(leastValueAt(firstBracket(type).maxLeverage), assetDecimals),
    },
    { filterType: 'PERCENT_PRICE', multiplierUp: '10000', multiplierDown: '0', multiplierDecimal: '4' },
  ];
}

/** Of the smallest positions, which have the greatest leverage. */
function firstBracket(market: MarketType) {
  const [first] = maintenanceBrackets[market];
  if (!first) throw new Error(`no brackets of ${market}`);
  return first;
}
