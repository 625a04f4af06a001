/**
 * The recipe of docs/realtime.md as a script would write it, on the unmodified client: subscribe, store the changes, read
 * the account, apply the changes, and read again whenever a version is missing. Invariant: once `isCurrent`, wallet and
 * positions equal the server's as of `version`, whatever was lost on the way.
 */
import type { RealtimeChannel, SupabaseClient } from '@supabase/supabase-js';

type Row = Readonly<Record<string, unknown>>;
interface Change {
  readonly table: string;
  readonly row: Row;
}

const pageRows = 1000;

/** Every row of an account carries the account's version at its last change; the wallet carries the account's own. */
const versionOf = ({ table, row }: Change): number =>
  Number(table === 'wallets' ? row.version : row.account_version);

export class AccountMirror {
  readonly #client: SupabaseClient;
  readonly userId: string;
  readonly #channel: RealtimeChannel;
  /** What arrived while the account is being read; null when it is not. */
  #arrived: Change[] | null = null;
  #readings = 0;
  /** Up to this version nothing is missing. */
  version = 0;
  wallet: Row = {};
  readonly positions = new Map<string, Row>();
  /** How often the account was read as a whole. */
  reads = 0;
  readonly statuses: string[] = [];

  constructor(client: SupabaseClient, userId: string) {
    this.#client = client;
    this.userId = userId;
    this.#channel = client.channel(`user:${userId}`);
    for (const table of ['positions', 'wallets']) {
      this.#channel.on(
        'postgres_changes',
        { event: '*', schema: 'public', table, filter: `user_id=eq.${userId}` },
        (change) => this.#onChange({ table, row: change.new }),
      );
    }
  }

  async start(): Promise<void> {
    await this.#client.realtime.setAuth();
    this.#channel.subscribe((status) => {
      this.statuses.push(status);
      // Also after each reconnect: what happened in between was not announced to us.
      if (status === 'SUBSCRIBED') void this.#readAll();
    });
  }

  async stop(): Promise<void> {
    await this.#client.removeAllChannels();
    await this.#client.realtime.disconnect();
  }

  get isCurrent(): boolean {
    return this.reads > 0 && this.#arrived === null;
  }

  #onChange(change: Change): void {
    if (this.#arrived) this.#arrived.push(change);
    else this.#apply(change);
  }

  #apply(change: Change): void {
    const version = versionOf(change);
    this.#merge(change);
    if (version <= this.version) return;
    if (version === this.version + 1) this.version = version;
    else void this.#readAll();
  }

  /** The later state of a row wins, so that no order of arrival does harm. */
  #merge({ table, row }: Change): void {
    if (table === 'wallets') {
      if (Number(row.version) >= Number(this.wallet.version ?? 0)) this.wallet = row;
      return;
    }
    const held = this.positions.get(String(row.id));
    if (!held || Number(row.account_version) >= Number(held.account_version)) {
      this.positions.set(String(row.id), row);
    }
  }

  /** Every position, page after page: one answer holds 1,000 rows and does not say that there are more. */
  async #readPositions(): Promise<readonly Row[] | null> {
    const rows: Row[] = [];
    for (let last = '00000000-0000-0000-0000-000000000000'; ; last = String(rows.at(-1)?.id)) {
      const ofUser = this.#client.from('positions').select().eq('user_id', this.userId);
      const page = await ofUser.gt('id', last).order('id').limit(pageRows);
      if (page.error) return null;
      rows.push(...page.data);
      if (page.data.length < pageRows) return rows;
    }
  }

  async #readAll(): Promise<void> {
    this.#arrived ??= [];
    this.#readings += 1;
    const reading = this.#readings;
    // The wallet first: positions read after it are at least as new as its version.
    const wallet = await this.#client.from('wallets').select().eq('user_id', this.userId).single();
    const positions = wallet.error ? null : await this.#readPositions();
    // Another reading has begun since; it drains what arrived.
    if (reading !== this.#readings) return;
    if (wallet.error || positions === null) {
      setTimeout(() => void this.#readAll(), 100);
      return;
    }
    this.#merge({ table: 'wallets', row: wallet.data });
    for (const row of positions) this.#merge({ table: 'positions', row });
    this.version = Math.max(this.version, Number(wallet.data.version));
    this.reads += 1;
    const arrived = this.#arrived;
    this.#arrived = null;
    for (const change of arrived) this.#onChange(change);
  }
}
