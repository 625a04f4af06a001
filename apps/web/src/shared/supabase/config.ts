/**
 * The server's public configuration, `/config.json`, read once before any other request. After a failure the next call tries
 * again.
 */
import type { RuleSetName } from '@fulcrum/domain';
export interface ServerConfig {
  /** The key of this installation's API; it is public and grants nothing. */
  readonly anonKey: string;
  readonly publicUrl: string;
  readonly rules: RuleSetName;
  readonly feed: {
    /** The configured price feed (`PRICE_FEED`). */
    readonly kind: 'simulated' | 'replay' | 'live' | 'auto';
    /** The main source of prices. */
    readonly source: string;
    readonly simulated: boolean;
    /** The symbols of the recording; no others get prices. Null while none is playing. */
    readonly recorded: readonly string[] | null;
  };
  /** The maximum distance between fill price and expected price, per cent. */
  readonly priceTolerancePct: number;
  /** The fee for opening and closing, as a fraction of the traded value (A07). */
  readonly feeRate: number;
  /** Whether traders may reset their own account (A102). */
  readonly allowReset: boolean;
  /** The age in seconds from which a price is not traded on; null for the market's default (A37). */
  readonly staleAfterS: number | null;
  /** Where mails go: to a mail server, or into a folder that the operator can read. */
  readonly mail: 'smtp' | 'outbox';
  /** The contact address of the operator; null when not configured. */
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  /** Whether the demo accounts exist. */
  readonly demo: boolean;
}

const timeoutMs = 10_000;

async function fetchConfig(): Promise<ServerConfig> {
  const answer = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`HTTP error! status: ${answer.status}`);
  const config: ServerConfig = await answer.json();
  return config;
}

let configRequest: Promise<ServerConfig> | undefined;

export function loadServerConfig(): Promise<ServerConfig> {
  configRequest ??= fetchConfig().catch((cause: unknown) => {
    configRequest = undefined;
    throw cause;
  });
  return configRequest;
}
