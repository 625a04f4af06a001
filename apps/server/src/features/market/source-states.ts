/**
 * How each source of prices does, as an admin reads it: what its prices are worth, how often it speaks, and what is wrong with
 * it, in words. Invariant: a source that serves no symbol is not told; only what is known is said to be wrong.
 */
import type { Source } from '@fulcrum/contract';
import type { ProviderState } from './feed.ts';
import type { MarketPrice } from './price.ts';
import type { SourceActivity } from './source-activity.ts';

export interface SourceState {
  readonly source: Source;
  /** `down`: it gives nothing; `stale`: prices are too old to trade on; `idle`: all of its markets are shut. */
  readonly state: 'live' | 'simulated' | 'replay' | 'stale' | 'down' | 'idle';
  readonly symbols: number;
  readonly staleSymbols: number;
  /** ISO 8601 UTC. */
  readonly lastTickAt: string | null;
  readonly ticks: readonly number[];
  readonly trouble: string | null;
}

export interface KnownOfSources {
  /** The source of each listed symbol; null where it is still looked for. */
  readonly served: readonly (readonly [symbol: string, source: Source | null])[];
  readonly price: (symbol: string) => MarketPrice | undefined;
  readonly providers: readonly ProviderState[];
  readonly activity: SourceActivity;
  readonly isReplayPaused: boolean;
  /** ms since the epoch. */
  readonly now: number;
  /** Without a tick for so long a source counts as silent. */
  readonly silentAfterMs: number;
}

export function sourceStatesOf(known: KnownOfSources): SourceState[] {
  const symbols = new Map<Source, string[]>();
  for (const [symbol, source] of known.served) {
    if (source !== null) symbols.set(source, [...(symbols.get(source) ?? []), symbol]);
  }
  return [...symbols].map(([source, served]) => stateOf(source, served, known));
}

function stateOf(source: Source, served: readonly string[], known: KnownOfSources): SourceState {
  const { activity, now, providers, silentAfterMs } = known;
  const prices = served.map((symbol) => known.price(symbol));
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
  if (isAllShut) return { ...figures, state: 'idle', trouble: null };
  if (stale === prices.length) {
    return { ...figures, state: 'stale', trouble: isSilent ? 'No prices come in' : 'All prices are stale' };
  }
  const isPaused = source === 'replay' && known.isReplayPaused;
  const state = source === 'simulated' || source === 'replay' ? source : 'live';
  return { ...figures, state, trouble: isPaused ? 'Paused' : null };
}

const isFreshPrice = (price: MarketPrice | undefined): boolean =>
  price !== undefined && price.state !== 'stale' && price.state !== 'delayed';
