/** `binance`. The socket client asks for its listen key by REST, so it needs `restOptions.baseUrl` besides `wsUrl`. */
import { USDMClient, WebsocketClient } from 'binance';

export function createBinance(url: string, apiKey: string, apiSecret: string) {
  const keys = { api_key: apiKey, api_secret: apiSecret };
  const rest = { ...keys, baseUrl: url, disableTimeSync: true };
  return {
    rest: new USDMClient(rest),
    sockets: new WebsocketClient({ ...keys, wsUrl: url.replace(/^http/, 'ws'), restOptions: rest }),
  };
}
