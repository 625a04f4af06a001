/** Binance's own SDK: three addresses, one for each part. */
import { DerivativesTradingUsdsFutures } from '@binance/derivatives-trading-usds-futures';

export function createOfficialSdk(url: string, apiKey: string, apiSecret: string) {
  const socket = url.replace(/^http/, 'ws');
  return new DerivativesTradingUsdsFutures({
    configurationRestAPI: { apiKey, apiSecret, basePath: url },
    configurationWebsocketStreams: { wsURL: socket },
    configurationWebsocketAPI: { apiKey, apiSecret, wsURL: `${socket}/ws-fapi/v1` },
  });
}
