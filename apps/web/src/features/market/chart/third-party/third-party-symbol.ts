/**
 * Maps a pair and a timeframe to the third-party chart's names (TRADE-20). Each market has the venue that the widget
 * knows; futures use the continuous front month. The widget looks up a symbol without a venue itself.
 */
import type { MarketType, Timeframe } from '@fulcrum/domain';

const commodities: Readonly<Record<string, string>> = {
  XAUUSD: 'OANDA:XAUUSD',
  XAGUSD: 'OANDA:XAGUSD',
  XPTUSD: 'OANDA:XPTUSD',
  XPDUSD: 'OANDA:XPDUSD',
  WTIUSD: 'TVC:USOIL',
  BCOUSD: 'TVC:UKOIL',
  NGUSD: 'NYMEX:NG1!',
  HGUSD: 'COMEX:HG1!',
  XCUUSD: 'COMEX:HG1!',
  XALUSD: 'COMEX:ALI1!',
  XNIUSD: 'LME:NI1!',
  XZNUSD: 'COMEX:ZNC1!',
  CORNUSD: 'CBOT:ZC1!',
  WHEATUSD: 'CBOT:ZW1!',
  SOYUSD: 'CBOT:ZS1!',
  SUGARUSD: 'ICEUS:SB1!',
  COFFEEUSD: 'ICEUS:KC1!',
  COTTONUSD: 'ICEUS:CT1!',
  COCOAUSD: 'ICEUS:CC1!',
  LUMBERMB: 'CME:LBR1!',
};

const indices: Readonly<Record<string, string>> = {
  SPX: 'SP:SPX',
  NDX: 'NASDAQ:NDX',
  DJI: 'DJ:DJI',
  FTSE: 'TVC:UKX',
  DAX: 'XETR:DAX',
  CAC: 'TVC:CAC40',
  NIKKEI: 'TVC:NI225',
  HSI: 'TVC:HSI',
  ASX: 'ASX:XJO',
};

const bare = (symbol: string): string => symbol.replace(/[^A-Z0-9.]/g, '');

const bySymbol: Readonly<Record<MarketType, (symbol: string) => string>> = {
  crypto: (symbol) => `BINANCE:${bare(symbol)}`,
  forex: (symbol) => `FX:${bare(symbol)}`,
  // The widget finds out which of the two New York exchanges lists a share.
  stock: bare,
  commodity: (symbol) => commodities[symbol] ?? bare(symbol),
  index: (symbol) => indices[symbol] ?? bare(symbol),
};

export const thirdPartySymbol = (type: MarketType, symbol: string): string => bySymbol[type](symbol);

export const thirdPartyIntervals: Readonly<Record<Timeframe, string>> = {
  '1m': '1',
  '5m': '5',
  '15m': '15',
  '30m': '30',
  '1h': '60',
  '4h': '240',
  '1d': 'D',
  '1w': 'W',
  '1M': 'M',
};
