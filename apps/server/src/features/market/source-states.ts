/**
 * The state of each source of prices for admins: the state of its prices, its tick rate, and its trouble as a text.
 * Invariant: a source that serves no symbol is not listed; only known trouble is reported.
 */
import type { Source } from '@fulcrum/contract';
import type { ProviderState } from './feed.ts';
import type { MarketPrice } from './price.ts';
import type { SourceActivity } from './source-activity.ts';

/** The warning of a chosen seed, wherever the feed is described (A109). */
export const publicSeed = 'whoever knows the seed knows the prices';

export interface SourceState {
  readonly source: Source;
  /** `down`: it delivers nothing; `stale`: prices are too old to trade on; `idle`: all of its markets are closed. */
  readonly state: 'live' | 'simulated' | 'replay' | 'stale' | 'down' | 'idle';
  readonly symbols: number;
  readonly staleSymbols: number;
  /** ISO 8601 UTC. */
  readonly lastTickAt: string | null;
  readonly ticks: readonly number[];
  readonly trouble: string | null;
}

export interface SourceStatesInput {
  /** The source of each listed symbol; null where it is still looked for. */
  readonly served: readonly (readonly [symbol: string, source: Source | null])[];
  readonly price: (symbol: string) => MarketPrice | undefined;
  readonly providers: readonly ProviderState[];
  readonly activity: SourceActivity;
  /** Why the recording is stopped; null while it plays, and where none does. */
  readonly replayTrouble: string | null;
  /** Whether simulated prices follow from a seed that was chosen, which is public (A109). */
  readonly isSeedPublic: boolean;
  /** ms since the epoch. */
  readonly now: number;
  /** Without a tick for so long a source counts as silent. */
  readonly silentAfterMs: number;
}

export function getSourceStates(input: SourceStatesInput): SourceState[] {
  const symbols = new Map<Source, string[]>();
  for (const [symbol, source] of input.served) {
    if (source !== null) symbols.set(source, [...(symbols.get(source) ?? []), symbol]);
  }
  return [...symbols].map(([source, served]) => getSourceState(source, served, input));
}

function getSourceState(source: Source, served: readonly string[], input: SourceStatesInput): SourceState {
  const { activity, now, providers, silentAfterMs } = input;
  const prices = served.map((symbol) => input.price(symbol));
  const isAllShut = prices.every((price) => price?.state === 'closed');
  const stale = prices.filter((price) => price?.state !== 'closed' && !isFreshPrice(price)).length;
  const lastTickAt = activity.lastTickAt(source);
  const isSilent = lastTickAt === null || now - lastTickAt > silentAfterMs;
  const provider = providers.find((one) => one.source === source);
  const figures = {
    source,
    symbols: served.length,
    staleSymbols: stale,
    lastTickAt: lastTickAt === null ? null : new Date(lastTickAt).toISOString(),
    ticks: activity.lastMinute(source, now),
  };
  if (provider && !provider.ok) return { ...figures, state: 'down', trouble: provider.fault ?? 'No answer' };
  const isPublic = source === 'simulated' && input.isSeedPublic;
  const notice = isPublic ? `The seed is public: ${publicSeed}` : null;
  const standing = source === 'replay' ? input.replayTrouble : notice;
  if (isAllShut) return { ...figures, state: 'idle', trouble: standing };
  if (stale === prices.length) {
    return { ...figures, state: 'stale', trouble: isSilent ? 'No prices come in' : 'All prices are stale' };
  }
  const state = source === 'simulated' || source === 'replay' ? source : 'live';
  return { ...figures, state, trouble: standing };
}

const isFreshPrice = (price: MarketPrice | undefined): boolean =>
  price !== undefined && price.state !== 'stale' && price.state !== 'delayed';
