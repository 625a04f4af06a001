/** Wallets of all users, and whether each equals the sum of its ledger entries. */
import { z } from 'zod';
import { id } from '../../columns.ts';
import { search, sortedPage } from '../arguments.ts';
import { command, query } from '../procedure.ts';

const time = z.string();

export const walletSorts = ['username', 'balance', 'available_balance', 'last_updated'] as const;
/** The read-only table of wallets, the last updated first by default (ADMIN-81, ADMIN-82, A76). */
export const listWallets = query('list_wallets', {
  roles: ['admin'],
  args: z.strictObject({ p_search: search, ...sortedPage(walletSorts) }),
  result: z.object({
    total: z.number().int(),
    wallets: z.array(
      z.object({
        id,
        user_id: id,
        username: z.string(),
        balance: z.number(),
        available_balance: z.number(),
        margin: z.number(),
        currency: z.string(),
        last_updated: time,
        /** Balance minus the sum of the account's ledger entries, USDT: 0 in a consistent ledger. */
        drift: z.number(),
      }),
    ),
  }),
});

/** Compares every wallet, or one, with all its ledger entries. */
export const reconcileWallets = command('reconcile_wallets', {
  roles: ['admin'],
  args: z.strictObject({ p_user_id: id.nullish() }),
  result: z.object({
    wallets: z.number().int(),
    entries: z.number().int(),
    /** Σ balances and Σ ledger entries, USDT, as decimals. */
    balance: z.string(),
    ledger: z.string(),
    /** The first hundred. */
    drifting: z.array(
      z.object({
        user_id: id,
        username: z.string(),
        balance: z.string(),
        ledger: z.string(),
        drift: z.string(),
      }),
    ),
    drifting_total: z.number().int(),
    at: time,
  }),
});
