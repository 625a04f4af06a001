/** `binance-api-node`: one address for requests, one for the sockets of the futures. */
import createClient from 'binance-api-node';

export function createBinanceApiNode(url: string, apiKey: string, apiSecret: string) {
  const create = 'default' in createClient ? createClient.default : createClient;
  return create({
    apiKey,
    apiSecret,
    httpFutures: url,
    wsFutures: `${url.replace(/^http/, 'ws')}/ws`,
  });
}
