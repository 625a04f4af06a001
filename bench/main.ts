/** `npm run bench -- <name>`: measures one thing beside its limit or its peers and prints both. */
import { benchOrders } from './orders.ts';

const benches: Readonly<Record<string, () => Promise<void>>> = { orders: benchOrders };

const [name = ''] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) {
  await bench();
} else {
  console.error(`usage: npm run bench -- <${Object.keys(benches).join(' | ')}>`);
  process.exitCode = 2;
}
