/** Unmodified clients of Binance's futures, pointed at a test's server as docs/api.md has it; `recipes/` has one file for each. */
export { type ForeignHostGuard, guardForeignHosts } from './foreign-hosts.ts';
export { type CcxtKey as ClientKey, createCcxt, createCcxtPro, demoUrls } from './recipes/ccxt.ts';
