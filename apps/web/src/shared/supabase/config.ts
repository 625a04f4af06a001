/**
 * What the server says about itself before anything else: `/config.json`. It is fetched once; after a failure the next
 * call asks again.
 */
export interface ServerConfig {
  /** Names this installation's API; it is public and grants nothing. */
  readonly anonKey: string;
  readonly publicUrl: string;
  readonly rules: 'standard' | 'as-specified';
  readonly feed: {
    /** How the server was told to get its prices (`PRICE_FEED`). */
    readonly kind: 'simulated' | 'replay' | 'live' | 'auto';
    /** Where most of them come from. */
    readonly source: string;
    readonly simulated: boolean;
  };
  /** How far a fill may be from the price the trader saw, in per cent. */
  readonly priceTolerancePct: number;
  /** What opening and closing cost, as a fraction of the value traded (A07). */
  readonly feeRate: number;
  /** Whether traders may put their own account back to its start (A102). */
  readonly allowReset: boolean;
  /** Age in seconds from which a price is not traded on; null for the market's own (A37). */
  readonly staleAfterS: number | null;
  /** Where mails go: to a mail server, or into a folder that whoever runs this one can read. */
  readonly mail: 'smtp' | 'outbox';
  /** How whoever runs this server wants to be reached; null where they did not say. */
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  /** The known demo accounts exist. */
  readonly demo: boolean;
}

const timeoutMs = 10_000;

async function fetchConfig(): Promise<ServerConfig> {
  const answer = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`HTTP error! status: ${answer.status}`);
  const config: ServerConfig = await answer.json();
  return config;
}

let asked: Promise<ServerConfig> | undefined;

export function serverConfig(): Promise<ServerConfig> {
  asked ??= fetchConfig().catch((cause: unknown) => {
    asked = undefined;
    throw cause;
  });
  return asked;
}
