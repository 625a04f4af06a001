/**
 * The crypto pairs that are listed while the exchange does not answer: fifty USDT pairs, the largest first. Steps and bounds
 * are the exchange's of 2026. Once the exchange answers, its own pairs replace this list (`exchange-info.ts`).
 */
import { ALWAYS_OPEN, asPrice, asSize, parseDecimal } from '@fulcrum/domain';
import type { Listing } from './listing.ts';

/** All listed crypto pairs are quoted in it (FEED-49). */
export const CRYPTO_QUOTE_ASSET = 'USDT';
/** The highest price of a pair for which the exchange states none. */
export const cryptoMaxPrice = asPrice(parseDecimal('1000000'));

/** The least price is one tick, the least amount one step. Turnover in millions of USDT a day. */
type Row = readonly [
  baseAsset: string,
  name: string,
  tickSize: string,
  stepSize: string,
  maxQty: string,
  price: number,
  dailyVolatilityPct: number,
  turnoverMillions: number,
];

const rows: readonly Row[] = [
  ['BTC', 'Bitcoin', '0.01', '0.00001', '9000', 111_000, 2.4, 2_500],
  ['ETH', 'Ethereum', '0.01', '0.0001', '9000000', 3_900, 3.5, 1_500],
  ['BNB', 'BNB', '0.01', '0.001', '9000000', 1_100, 3, 350],
  ['SOL', 'Solana', '0.01', '0.001', '9000000', 190, 4.2, 600],
  ['XRP', 'XRP', '0.0001', '0.1', '9000000', 2.5, 4.2, 450],
  ['DOGE', 'Dogecoin', '0.00001', '1', '9000000', 0.2, 4.8, 250],
  ['ADA', 'Cardano', '0.0001', '0.1', '9000000', 0.65, 4.5, 120],
  ['TRX', 'TRON', '0.0001', '0.1', '9000000', 0.31, 2.6, 90],
  ['LINK', 'Chainlink', '0.01', '0.01', '9000000', 18, 4.6, 110],
  ['AVAX', 'Avalanche', '0.01', '0.01', '9000000', 20, 4.9, 80],
  ['XLM', 'Stellar', '0.0001', '1', '9000000', 0.32, 4.4, 45],
  ['SUI', 'Sui', '0.0001', '0.1', '9000000', 2.6, 5.4, 130],
  ['HBAR', 'Hedera', '0.00001', '1', '9000000', 0.18, 5, 50],
  ['BCH', 'Bitcoin Cash', '0.1', '0.001', '9000000', 520, 4, 60],
  ['LTC', 'Litecoin', '0.01', '0.001', '9000000', 95, 3.9, 80],
  ['TON', 'Toncoin', '0.001', '0.01', '9000000', 2.2, 3.9, 25],
  ['DOT', 'Polkadot', '0.001', '0.01', '9000000', 3.1, 4.4, 40],
  ['UNI', 'Uniswap', '0.001', '0.01', '9000000', 6.3, 5, 50],
  ['AAVE', 'Aave', '0.01', '0.001', '9000000', 230, 5, 55],
  ['NEAR', 'NEAR Protocol', '0.001', '0.1', '9000000', 2.2, 5.2, 45],
  ['ICP', 'Internet Computer', '0.001', '0.01', '9000000', 3.1, 5, 25],
  ['ETC', 'Ethereum Classic', '0.01', '0.01', '9000000', 16, 4.2, 25],
  ['APT', 'Aptos', '0.001', '0.01', '9000000', 3.3, 5.2, 30],
  ['ARB', 'Arbitrum', '0.0001', '0.1', '9000000', 0.32, 5.3, 50],
  ['OP', 'Optimism', '0.001', '0.01', '9000000', 0.45, 5.5, 35],
  ['ATOM', 'Cosmos', '0.001', '0.01', '9000000', 3.2, 4.6, 20],
  ['FIL', 'Filecoin', '0.001', '0.01', '9000000', 1.6, 5, 30],
  ['INJ', 'Injective', '0.001', '0.01', '9000000', 8.8, 5.5, 25],
  ['TIA', 'Celestia', '0.0001', '0.01', '9000000', 1, 6, 30],
  ['SEI', 'Sei', '0.0001', '0.1', '9000000', 0.2, 5.6, 25],
  ['RENDER', 'Render', '0.001', '0.01', '9000000', 2.5, 5.6, 20],
  ['FET', 'Artificial Superintelligence Alliance', '0.0001', '0.1', '9000000', 0.27, 6, 25],
  ['STX', 'Stacks', '0.0001', '0.1', '9000000', 0.44, 5.4, 12],
  ['IMX', 'Immutable', '0.0001', '0.1', '9000000', 0.5, 5.4, 12],
  ['GRT', 'The Graph', '0.00001', '1', '9000000', 0.065, 5, 8],
  ['ALGO', 'Algorand', '0.0001', '1', '9000000', 0.18, 4.6, 12],
  ['VET', 'VeChain', '0.00001', '0.1', '9000000', 0.0175, 4.6, 8],
  ['SAND', 'The Sandbox', '0.0001', '1', '9000000', 0.21, 5, 9],
  ['MANA', 'Decentraland', '0.0001', '1', '9000000', 0.24, 5, 7],
  ['AXS', 'Axie Infinity', '0.001', '0.01', '9000000', 1.55, 5.2, 8],
  ['CRV', 'Curve DAO', '0.0001', '0.1', '9000000', 0.54, 6, 30],
  ['LDO', 'Lido DAO', '0.0001', '0.01', '9000000', 0.89, 5.8, 25],
  ['PEPE', 'Pepe', '0.00000001', '1', '900000000000', 0.000007, 6.6, 150],
  ['SHIB', 'Shiba Inu', '0.00000001', '1', '900000000000', 0.00001, 4.8, 60],
  ['WIF', 'dogwifhat', '0.001', '0.01', '9000000', 0.54, 7, 40],
  ['BONK', 'Bonk', '0.00000001', '1', '900000000000', 0.0000145, 6.8, 55],
  ['FLOKI', 'Floki', '0.00000001', '1', '900000000000', 0.000068, 6.2, 30],
  ['ENA', 'Ethena', '0.0001', '0.01', '9000000', 0.44, 6.6, 90],
  ['JUP', 'Jupiter', '0.0001', '0.1', '9000000', 0.38, 5.8, 20],
  ['THETA', 'Theta Network', '0.001', '0.1', '9000000', 0.52, 5, 6],
];

export const cryptoPairs: readonly Listing[] = rows.map(
  ([baseAsset, name, tick, step, maxQty, price, dailyVolatilityPct, turnoverMillions]) => {
    const tickSize = asPrice(parseDecimal(tick));
    const stepSize = asSize(parseDecimal(step));
    return {
      symbol: `${baseAsset}${CRYPTO_QUOTE_ASSET}`,
      name,
      nickname: null,
      type: 'crypto',
      baseAsset,
      quoteAsset: CRYPTO_QUOTE_ASSET,
      minPrice: tickSize,
      maxPrice: cryptoMaxPrice,
      tickSize,
      minQty: stepSize,
      maxQty: asSize(parseDecimal(maxQty)),
      stepSize,
      tradingHours: ALWAYS_OPEN,
      typical: { price, dailyVolatilityPct, turnoverMillions },
      yahoo: null,
    };
  },
);
