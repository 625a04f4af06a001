/** ccxt. `enableDemoTrading` puts these addresses in the place of all others, so none of the real exchange is left. */
import ccxt, { type binanceusdm } from 'ccxt';

export function demoUrls(url: string) {
  const socket = url.replace(/^http/, 'ws');
  const fapi = (version: string) => `${url}/fapi/${version}`;
  return {
    ...{ fapiPublic: fapi('v1'), fapiPublicV2: fapi('v2'), fapiPublicV3: fapi('v3') },
    ...{ fapiPrivate: fapi('v1'), fapiPrivateV2: fapi('v2'), fapiPrivateV3: fapi('v3') },
    fapiData: `${url}/futures/data`,
    ...{ public: `${url}/api/v3`, private: `${url}/api/v3`, v1: `${url}/api/v1` },
    ...{ dapiPublic: `${url}/dapi/v1`, dapiPrivate: `${url}/dapi/v1`, dapiPrivateV2: `${url}/dapi/v2` },
    ws: { future: `${socket}/ws`, 'ws-api': { future: `${socket}/ws-fapi/v1` } },
  };
}

export interface CcxtKey {
  readonly apiKey: string;
  readonly secret: string;
}

const settings = (url: string, key?: CcxtKey) => ({
  ...(key && { apiKey: key.apiKey, secret: key.secret }),
  urls: { demo: demoUrls(url) },
  // A test does not wait between its requests.
  enableRateLimit: false,
});

export function createCcxt(url: string, key?: CcxtKey): binanceusdm {
  const client = new ccxt.binanceusdm(settings(url, key));
  client.enableDemoTrading(true);
  return client;
}

export type CcxtPro = InstanceType<typeof ccxt.pro.binanceusdm>;

/** With streams. Plain `ws://` needs the second line in Node; `wss://` does not. */
export async function createCcxtPro(url: string, key?: CcxtKey): Promise<CcxtPro> {
  const client = new ccxt.pro.binanceusdm(settings(url, key));
  client.enableDemoTrading(true);
  await client.loadHttpProxyAgent();
  return client;
}
