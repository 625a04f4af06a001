/** The texts of fired alerts, one or two sentences with exact figures (A101: ungrouped). */
import { formatFixed, type Percent, type Price, toDecimalString } from '@fulcrum/domain';
import type { Alert, AlertPosition } from './store.ts';

const percentDecimals = 2;
const percent = (value: bigint): string => `${formatFixed(value, percentDecimals)} %`;
const level = ({ level: value }: Alert): string => `${toDecimalString(value)} %`;

const formatWindow = (minutes: number): string =>
  minutes % 60 !== 0 ? `${minutes} minutes` : minutes === 60 ? 'one hour' : `${minutes / 60} hours`;
const verb = ({ direction }: Alert): string => (direction === 'rises' ? 'rose' : 'fell');
const tradeText = ({ side, size, symbol }: AlertPosition): string =>
  `${side} ${toDecimalString(size)} ${symbol}`;

export const formatPriceAlert = (alert: Alert, price: Price, decimals: number): string =>
  `${alert.symbol} ${verb(alert)} to ${formatFixed(price, decimals)}. Your alert is at ${formatFixed(alert.level, decimals)}.`;

export const formatChangeAlert = (alert: Alert, change: Percent, price: Price, decimals: number): string =>
  `${alert.symbol} ${verb(alert)} by ${percent(change < 0n ? -change : change)} in ${formatWindow(alert.windowMinutes ?? 0)}, to ${formatFixed(price, decimals)}. Your alert is at ${level(alert)}.`;

export const formatRoeAlert = (alert: Alert, position: AlertPosition, roe: Percent): string =>
  `The ROE of your position ${tradeText(position)} is ${percent(roe)}. Your alert is at ${level(alert)}.`;

export const formatLiquidationAlert = (
  alert: Alert,
  position: AlertPosition,
  price: Price,
  decimals: number,
): string =>
  `Your position ${tradeText(position)} is within ${level(alert)} of its liquidation price ${formatFixed(position.liquidationPrice, decimals)}: the price is ${formatFixed(price, decimals)}.`;
