/**
 * `node-binance-api`. Its streams of the futures ignore the addresses in `urls` (1.0.33) and lead to the real exchange, with the listen key;
 * so the two methods that name these addresses are overridden, and a change of the version needs another look.
 */
import Binance from 'node-binance-api';

export function createNodeBinanceApi(url: string, apiKey: string, apiSecret: string) {
  const socket = url.replace(/^http/, 'ws');
  class Client extends Binance {
    override getFStreamSingleUrl(category = 'market') {
      return `${socket}/${category}/ws/`;
    }
    override getFStreamUrl(category = 'market') {
      return `${socket}/${category}/stream?streams=`;
    }
  }
  return new Client({ APIKEY: apiKey, APISECRET: apiSecret, urls: { fapi: `${url}/fapi/` } });
}
