/**
 * What a change by staff would do: the engine's own decision on the account as it is committed, thrown away. Invariants:
 * nothing is written and the engine's memory is not touched; what is refused here is refused in the words of the command.
 *
 * Known limitations: a preview is as old as its answer, and the command decides again, on the account of then; what is no value
 * of its column is refused by the table before there is a command, in words for developers.
 */
import {
  AppError,
  type previewFunds,
  type previewPositionEdit,
  type SignedIn,
  texts,
} from '@fulcrum/contract';
import {
  asMoney,
  balanceOf,
  type Command,
  type Context,
  DecimalError,
  type Decision,
  decide,
  type EditableField,
  type Position,
  parseDecimal,
  pnlByPrices,
  toDecimalString,
  toNumber,
  type Wallet,
} from '@fulcrum/domain';
import type { z } from 'zod';
import type { Database, Queryable } from '../../platform/database/index.ts';
import { requireTrader } from './authority.ts';
import { changedColumns } from './changed-columns.ts';
import { type ClaimedRow, fundsOf } from './claims.ts';
import { editOf } from './edits.ts';
import { Draft } from './engine/draft.ts';
import {
  type AccountRow,
  accountOf,
  accountsQuery,
  namedPositionsQuery,
  type PositionJson,
  positionOf,
} from './engine/rows.ts';
import { numberOrNull } from './position-row.ts';
import { ownerOfReached } from './reached-position.ts';
import { refusalError } from './refusals.ts';

export interface PreviewDependencies {
  readonly db: Database;
  /** What a decision would look at now. */
  readonly contextNow: () => Context;
  readonly isHalted: () => boolean;
}

type FundsPreview = z.output<typeof previewFunds.result>;
type EditPreview = z.output<typeof previewPositionEdit.result>;
type EditClaims = z.output<typeof previewPositionEdit.args>['p_changes'];
type WalletState = FundsPreview['before'];

/** The command asks for one, a preview has none yet. */
const reason = 'preview';

export function createPreviews({ db, contextNow, isHalted }: PreviewDependencies) {
  /** While trading is halted the engine takes no command, however it would decide. */
  const asAnswered = (outcome: FundsPreview): FundsPreview =>
    outcome.after !== null && isHalted()
      ? { ...outcome, after: null, refusal: texts.tradingHalted }
      : outcome;

  return {
    /** A12: what `adjust_wallet_balance` would do. */
    async preview_funds(
      caller: SignedIn,
      { p_user_id, p_amount }: z.output<typeof previewFunds.args>,
    ): Promise<FundsPreview> {
      const userId = p_user_id.toLowerCase();
      await requireTrader(db, caller, userId);
      const { account } = await readAccount(db, userId, null);
      const outcome = outcomeOf(account.wallet, () => {
        const command: Command = { kind: 'adjust', amount: fundsOf(p_amount), reason };
        return decide(account, command, contextNow());
      });
      return asAnswered(outcome);
    },

    /** A09: what an update of `positions` would do, whatever version its editor saw. */
    async preview_position_edit(
      caller: SignedIn,
      { p_position_id, p_changes }: z.output<typeof previewPositionEdit.args>,
    ): Promise<EditPreview> {
      const positionId = p_position_id.toLowerCase();
      const userId = await ownerOfReached(db, caller, positionId);
      await requireTrader(db, caller, userId);
      const { account, position } = await readAccount(db, userId, positionId);
      // Deleted since its owner was looked up.
      if (!position) throw refusalError({ code: 'position_not_found' });

      let after: Position = position;
      let derived = pnlByPrices(position, {});
      const outcome = outcomeOf(account.wallet, () => {
        const edit = isEmpty(p_changes) ? {} : editOf(columnsOf(p_changes)).edit;
        derived = pnlByPrices(position, edit);
        const command = { kind: 'edit', positionId, edit, expectedVersion: null, reason } as const;
        const decision = decide(account, command, contextNow());
        if (decision.outcome === 'accepted' && decision.subject.kind === 'position') {
          after = decision.subject.position;
        }
        return decision;
      });
      return {
        ...asAnswered(outcome),
        version: position.version,
        changes: [...changedColumns(position, after)],
        derived_pnl: numberOrNull(derived),
      };
    },
  };
}

/** @throws AppError for anything but a refusal */
function outcomeOf(wallet: Wallet, attempt: () => Decision): FundsPreview {
  const before = walletState(wallet);
  try {
    const decision = attempt();
    return decision.outcome === 'accepted'
      ? { before, after: walletState(decision.effects.wallet), refusal: null }
      : { before, after: null, refusal: refusalError(decision.refusal).message };
  } catch (error) {
    // A claim that is no amount, price or time.
    if (error instanceof AppError) return { before, after: null, refusal: error.message };
    throw error;
  }
}

/** What positions and waiting orders hold is one figure, so that balance less margin is what is available. */
const walletState = (wallet: Wallet): WalletState => ({
  balance: toNumber(balanceOf(wallet)),
  available_balance: toNumber(wallet.available),
  margin: toNumber(asMoney(wallet.margin + wallet.orderMargin)),
});

const isEmpty = (claims: EditClaims): boolean => Object.values(claims).every((claim) => claim === undefined);

const decimals = {
  entry_price: 'entryPrice',
  close_price: 'closePrice',
  size: 'size',
  realized_pnl: 'realizedPnl',
  liquidation_price: 'liquidationPrice',
} as const satisfies Partial<Record<keyof EditClaims, EditableField>>;

/** In the form that the table API gives the columns: decimals as text. @throws AppError for one that is none */
function columnsOf(claims: EditClaims): ClaimedRow {
  const columns: Record<string, unknown> = { ...claims };
  for (const [column, field] of Object.entries(decimals)) {
    const claim = columns[column];
    if (typeof claim !== 'string' && typeof claim !== 'number') continue;
    try {
      columns[column] = toDecimalString(parseDecimal(claim));
    } catch (error) {
      if (!(error instanceof DecimalError)) throw error;
      throw refusalError({ code: 'edit_value_invalid', field });
    }
  }
  return columns;
}

/** The account and one position of it, open or closed, from one moment. @throws AppError `not_found` */
async function readAccount(db: Database, userId: string, positionId: string | null) {
  return db.transaction(async (tx: Queryable) => {
    await tx.query('set transaction isolation level repeatable read read only');
    const { rows } = await tx.query<AccountRow>(accountsQuery, [[userId]], 'preview_account');
    const [row] = rows;
    if (!row) throw new AppError('not_found', texts.userNotFound);
    const named =
      positionId === null
        ? []
        : (
            await tx.query<{ position: PositionJson }>(
              namedPositionsQuery,
              [[positionId], [userId]],
              'preview_position',
            )
          ).rows.map(({ position }) => positionOf(position));
    const stored = accountOf(
      row.wallet_id === null ? { ...row, ...noWallet } : { ...row, wallet_id: row.wallet_id },
    );
    const account = new Draft(
      {
        wallet: stored.wallet,
        restricted: stored.restricted,
        positions: new Map(stored.positions.map((position) => [position.id, position])),
        orders: new Map(stored.orders.map((order) => [order.id, order])),
      },
      { positions: new Map(named.map((position) => [position.id, position])), orders: new Map() },
    );
    return { account, position: named[0] };
  });
}

/** Who has none gets an empty one with the first command (RULE-26). */
const noWallet = {
  wallet_id: '',
  available_balance: '0',
  margin: '0',
  order_margin: '0',
  version: '0',
} as const;
