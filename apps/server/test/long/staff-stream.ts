/** An admin on a server that may be killed at any instant: reads the lists of the console, and moves funds of traders. */
import type { SupabaseClient } from '@supabase/supabase-js';
import { CommandStream, type Request } from './command-stream.ts';

/** Reads that the console makes, one after the other. */
const reads = [
  ['list_users', {}],
  ['list_positions', { p_status: 'open' }],
  ['list_wallets', {}],
  ['get_admin_overview', {}],
  ['get_house_metrics', { p_from: null, p_to: null }],
] as const;

export class StaffStream extends CommandStream {
  readonly #traderIds: readonly string[];
  #reads = 0;

  constructor(client: SupabaseClient, name: string, random: () => number, traderIds: readonly string[]) {
    super(client, name, random);
    this.#traderIds = traderIds;
  }

  /** @throws when a list is refused; one without an answer is passed over */
  protected async next(): Promise<Request> {
    const [procedure, args] = reads[this.#reads % reads.length] ?? reads[0];
    this.#reads += 1;
    const { status, error } = await this.client.rpc(procedure, args);
    const isUnanswered = status === 0 || status >= 500 || status === 429;
    if (error !== null && !isUnanswered) throw new Error(`${procedure}: ${error.code} ${error.message}`);
    const userId = this.#traderIds[Math.floor(this.random() * this.#traderIds.length)] ?? '';
    return this.call(
      'adjust_wallet_balance',
      { kind: 'fund', userId },
      { p_user_id: userId, p_amount: 1, p_reason: 'A soak of a cluster' },
    );
  }

  protected learn(): void {}
}
