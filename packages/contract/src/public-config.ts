/** The server's public configuration, the answer of `/config.json`. */
import type { MainRuleSetName, RegistrationMode } from '@fulcrum/domain';

export interface PublicConfig {
  /** The key of this installation's API; it is public and grants nothing. */
  readonly anonKey: string;
  readonly publicUrl: string;
  readonly rules: MainRuleSetName;
  /** Names the price source, for the screen. */
  readonly feed: {
    /** The kind of `PRICE_FEED`. */
    readonly kind: 'simulated' | 'replay' | 'live' | 'auto';
    /** Source of the first symbol that has a price; null before. */
    readonly source: string | null;
    /** Whether any of them are simulated. */
    readonly simulated: boolean;
    /** Symbols of the recording; other symbols have no prices. Null without a replay. */
    readonly recorded: readonly string[] | null;
  };
  /** The maximum distance between fill price and expected price, per cent. */
  readonly priceTolerancePct: number;
  /** Fraction of the value, charged at the opening and at the close (A07). */
  readonly feeRate: number;
  /** Whether traders may reset their account (A102). */
  readonly allowReset: boolean;
  /** Age from which a price opens no position, in seconds; null: the market's default (A37). */
  readonly staleAfterS: number | null;
  /** Who may register (A117). */
  readonly registration: RegistrationMode;
  /** Where mails go: to an SMTP server, or into a folder of the data directory. */
  readonly mail: 'smtp' | 'outbox';
  /** The public key that browsers subscribe with for Web Push, base64url; null: the server sends none. */
  readonly pushKey: string | null;
  /** Contact details of the operator; null where not set. */
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  /** Whether the demo accounts exist. */
  readonly demo: boolean;
}
