/**
 * Commands of staff that the engine carries out on a trader's account: funds, restriction, deletion. Each handler answers when
 * its command is committed, together with the audit row (`trading/audits.ts`). A repeat of the same client id gets the same
 * answer.
 */
import {
  AppError,
  type adjustWalletBalance,
  type deleteUserWithData,
  type restrictUser,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import { asMoney, type Command, toDecimalString } from '@fulcrum/domain';
import type { z } from 'zod';
import { requireReason } from '../../audit/index.ts';
import { refuseWhileImpersonating } from '../../identity/index.ts';
import {
  createIdempotencyKey,
  findStoredAnswer,
  parseFunds,
  requireStaffOrigin,
  type Trading,
} from '../../trading/index.ts';
import { findStartBalance } from '../../wallet/index.ts';
import type { StaffDependencies } from '../dependencies.ts';

type ArgsOf<P extends { readonly args: z.ZodType }> = z.output<P['args']>;

/** One account of a bulk action. */
export interface BulkSubject {
  readonly ownerId: string;
  readonly accountId: string;
  readonly reason: string;
  readonly clientId: string | null;
}

/** The single actions that only bulk actions have. @throws AppError as those of `createAccountCommands` */
export function createBulkCommands({
  db,
  config,
  trading: { engine },
}: Pick<StaffDependencies, 'db' | 'config'> & { readonly trading: Pick<Trading, 'engine'> }) {
  return {
    /** `amount`: what is added, or with `sets` the balance that follows; USDT. */
    async adjustFunds(
      caller: SignedIn,
      { accountId, ownerId, reason, clientId }: BulkSubject,
      { amount, sets }: FundsChange,
    ) {
      const origin = await requireStaffOrigin(db, { caller, accountId, ownerId, reason });
      const body = [accountId, toDecimalString(amount), sets ?? null, origin.reason];
      const key = createIdempotencyKey(caller.userId, 'adjust_funds_of_users', clientId, body);
      return engine.submit(
        origin,
        { kind: 'adjust', amount, reason: origin.reason, ...(sets && { sets }) },
        key,
      );
    },

    /** To the balance that the account was opened with, else to that of a new one. */
    async reset(caller: SignedIn, { accountId, ownerId, reason, clientId }: BulkSubject) {
      const origin = await requireStaffOrigin(db, { caller, accountId, ownerId, reason });
      const key = createIdempotencyKey(caller.userId, 'reset_users', clientId, [accountId, origin.reason]);
      const storedAnswer = await findStoredAnswer(db, key);
      if (storedAnswer) return storedAnswer;
      const startBalance = asMoney((await findStartBalance(db, accountId)) ?? config.signupBalance);
      return engine.submit(origin, { kind: 'reset', startBalance, reason: origin.reason }, key);
    },
  };
}

export type FundsChange = Pick<Extract<Command, { kind: 'adjust' }>, 'amount' | 'sets'>;

/** @throws AppError `funds_amount_invalid` */
export function parseFundsChange(change: 'add' | 'subtract' | 'set', input: string | number): FundsChange {
  const amount = parseFunds(input);
  // The sign is that of the change.
  if (amount < 0n) throw new AppError('funds_amount_invalid', texts.fundsAmountInvalid);
  if (change === 'set') return { amount, sets: 'balance' };
  return { amount: change === 'add' ? amount : asMoney(-amount) };
}

export function createAccountCommands({
  db,
  trading,
  deletions,
}: Pick<StaffDependencies, 'db' | 'deletions'> & { readonly trading: Pick<Trading, 'engine'> }) {
  const { engine } = trading;
  return {
    /** Deposits to or withdraws from a trader's balance (CALL-52, A12). */
    async adjust_wallet_balance(caller: SignedIn, args: ArgsOf<typeof adjustWalletBalance>) {
      const { p_amount: amount, p_reason: reason } = args;
      const userId = args.p_user_id.toLowerCase();
      const accountId = args.p_account_id?.toLowerCase() ?? userId;
      const origin = await requireStaffOrigin(db, { caller, accountId, ownerId: userId, reason });
      const body = [accountId, amount, origin.reason];
      const key = createIdempotencyKey(caller.userId, 'adjust_wallet_balance', args.p_client_id, body);
      return engine.submit(
        origin,
        { kind: 'adjust', amount: parseFunds(amount), reason: origin.reason },
        key,
      );
    },

    /** Restricts a trader from opening positions, or lifts the restriction (A72). */
    async restrict_user(caller: SignedIn, args: ArgsOf<typeof restrictUser>) {
      const { p_restricted: restricted, p_reason: reason } = args;
      const userId = args.p_user_id.toLowerCase();
      const origin = await requireStaffOrigin(db, { caller, accountId: userId, ownerId: userId, reason });
      const body = [userId, restricted, origin.reason];
      const key = createIdempotencyKey(caller.userId, 'restrict_user', args.p_client_id, body);
      return engine.submit(origin, { kind: 'restrict', restricted, reason: origin.reason }, key);
    },

    /** Deletes a user of any role but an admin, with or without a wallet (CALL-53, A73). */
    async delete_user_with_data(caller: SignedIn, args: ArgsOf<typeof deleteUserWithData>) {
      refuseWhileImpersonating(caller);
      const reason = requireReason(args.p_reason);
      const userId = args.p_user_id.toLowerCase();
      const body = [userId, reason];
      const key = createIdempotencyKey(caller.userId, 'delete_user_with_data', args.p_client_id, body);
      const storedAnswer = await findStoredAnswer(db, key);
      if (storedAnswer) return storedAnswer;
      const origin = {
        accountId: userId,
        ownerId: userId,
        actorId: caller.userId,
        authority: 'admin',
        reason,
      } as const;
      try {
        await deletions.prepare(caller, userId);
        const answer = await engine
          .submit(origin, { kind: 'delete', reason }, key)
          .catch((error: unknown) => {
            deletions.abandon(userId);
            throw error;
          });
        await deletions.announce(userId);
        return answer;
      } catch (error) {
        // Not found, because the same command was executed meanwhile.
        const meanwhile = await findStoredAnswer(db, key);
        if (meanwhile) return meanwhile;
        throw error;
      }
    },
  };
}
