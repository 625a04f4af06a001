/** How figures of the market are printed. */
import { formatFixed, type Price, priceDecimals, sizeDecimals, type TradingPair } from '@fulcrum/domain';

export const priceText = (price: Price, pair: TradingPair): string => formatFixed(price, priceDecimals(pair));
/** Of figures that the market states as numbers: prices, amounts in base units, and values in USDT. */
export const priceTextOf = (price: number, pair: TradingPair): string => price.toFixed(priceDecimals(pair));
export const volumeText = (volume: number, pair: TradingPair): string => volume.toFixed(sizeDecimals(pair));
export const valueText = (value: number): string => value.toFixed(8);
