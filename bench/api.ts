/**
 * `npm run bench -- api`: market orders by `/fapi`, each signed, beside the same orders by `/rest/v1` with a session's token, on one server
 * and the same accounts with net positions; at full speed, alternately, and at a steady rate. Bounded: about three minutes, at most 64
 * connections, loopback only.
 */
import { withCluster } from './cluster.ts';
import { heading, median, type Run, verdict } from './figures.ts';
import { type Product, withProduct } from './product.ts';

const connections = 64;
/** An odd number, so that a median is a measured round. */
const rounds = 5;
const steady = { perSecond: 200, seconds: 20, connections: 32 };
const leastRatio = 0.9;

const interfaces = {
  rest: { name: 'a row by /rest/v1', job: { rowsPerInsert: 1 } },
  exchange: { name: 'a signed order by /fapi', job: { rowsPerInsert: null, isSigned: true } },
} as const;
type InterfaceKey = keyof typeof interfaces;

function loadInterface(product: Product, key: InterfaceKey): Promise<Run> {
  const { name, job } = interfaces[key];
  return product.load(name, { connections, perSecond: null, ...job });
}

/** The rate of `/fapi` in multiples of that of `/rest/v1`, round by round. */
async function measureRatios(product: Product): Promise<number[]> {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const order: readonly InterfaceKey[] = round % 2 === 0 ? ['rest', 'exchange'] : ['exchange', 'rest'];
    const rates = new Map<InterfaceKey, number>();
    for (const key of order) rates.set(key, (await loadInterface(product, key)).perSecond);
    ratios.push((rates.get('exchange') ?? Number.NaN) / (rates.get('rest') ?? Number.NaN));
  }
  return ratios;
}

export async function benchApi(): Promise<void> {
  await withCluster(async (cluster) => {
    console.log(heading());
    await withProduct(
      await cluster.createDatabase('api'),
      async (product) => {
        const ratios = await measureRatios(product);
        const ratio = median(ratios);
        console.log(
          `\n/fapi by /rest/v1: ${ratios.map((one) => one.toFixed(2)).join(', ')}; median ${ratio.toFixed(2)}`,
        );
        console.log(`aim: at least ${leastRatio}: ${verdict(ratio >= leastRatio)}\n`);
        for (const { name, job } of Object.values(interfaces)) {
          await product.load(`${name}, ${steady.perSecond}/s for ${steady.seconds} s`, { ...steady, ...job });
        }
      },
      { isNet: true, hasApiKeys: true },
    );
  });
}
