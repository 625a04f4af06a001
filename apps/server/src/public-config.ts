/** The configuration as the browser gets it. */
import type { PublicConfig } from '@fulcrum/contract';
import { toNumber } from '@fulcrum/domain';
import type { Market } from './features/market/index.ts';
import type { Config } from './platform/config/index.ts';

/** The price feed as the browser's configuration states it; each price has its own source. */
function toPublicFeed({ priceFeed }: Config, market: Market): PublicConfig['feed'] {
  const { source, sources } = market.state();
  const simulated = sources.simulated !== undefined;
  return { kind: priceFeed.kind, source, simulated, recorded: market.recordedSymbols() };
}

export const toPublicConfig = (
  config: Config,
  market: Market,
  own: Pick<PublicConfig, 'anonKey' | 'publicUrl' | 'pushKey'>,
): PublicConfig => ({
  ...own,
  rules: config.rules,
  feed: toPublicFeed(config, market),
  priceTolerancePct: config.priceTolerancePct,
  feeRate: toNumber(config.tradingFeeRate),
  allowReset: config.allowReset,
  staleAfterS: config.staleAfterS,
  registration: config.registration,
  mail: config.smtp === null ? 'outbox' : 'smtp',
  contactEmail: config.contactEmail,
  contactPhone: config.contactPhone,
  demo: config.demo,
});
