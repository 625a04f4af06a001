/**
 * Previews of changes by staff: the engine's own decision on the committed account, discarded. Invariants: a preview
 * writes nothing and does not use the engine's memory; a refusal has the text of the command's refusal.
 *
 * Known limitations: a preview is as old as its answer, and the command decides again on the account of that time.
 * The table refuses a value that is invalid for its column before there is a command, with a text for developers.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn, texts } from '@fulcrum/contract';
import {
  type AccountTerms,
  asMoney,
  balanceOf,
  type Command,
  DecimalError,
  type Decision,
  decide,
  type EditableField,
  type MarketContext,
  NO_MONEY,
  type Position,
  parseDecimal,
  pnlByPrices,
  toDecimalString,
  toNumber,
  type Wallet,
} from '@fulcrum/domain';
import type { Database } from '../../platform/database/index.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';
import { requireTrader } from './authority.ts';
import { changedColumns } from './changed-columns.ts';
import { parseFunds, type UntrustedRow } from './command-input.ts';
import { programRefusal } from './engine/batch-decision.ts';
import type { StoredRow } from './engine/columns/codec.ts';
import { Draft } from './engine/draft.ts';
import { type AccountRow, accountOf, accountsQuery, namedPositionsQuery, positionOf } from './engine/rows.ts';
import { toPositionEdit } from './position-edit-input.ts';
import { refusalError } from './refusals.ts';
import { findVisiblePositionOwner } from './visible-position.ts';

export interface PreviewDependencies {
  readonly db: Database;
  readonly marketContextNow: () => MarketContext;
  /** The terms of main accounts. */
  readonly mainTerms: AccountTerms;
  readonly isHalted: () => boolean;
}

type FundsPreview = ResultOf<'preview_funds'>;
type EditPreview = ResultOf<'preview_position_edit'>;
type EditInput = ArgsOf<'preview_position_edit'>['p_changes'];
type WalletState = FundsPreview['before'];

/** The command requires a reason, a preview has none yet. */
const reason = 'preview';

/**
 * The outcome of a command for each of these accounts, read in one snapshot; an account that does not exist is absent.
 */
export type PreviewEach = (
  accountIds: readonly string[],
  commandOf: (accountId: string) => Command,
) => Promise<ReadonlyMap<string, PreviewedCommand>>;

export function createPreviewEach({
  db,
  marketContextNow,
  mainTerms,
  isHalted,
}: PreviewDependencies): PreviewEach {
  return async (accountIds, commandOf) => {
    const { rows } = await db.query<AccountRow>(accountsQuery, [accountIds, null], 'preview_accounts');
    const context = marketContextNow();
    return new Map(
      rows.map((row) => {
        const account = toDraft(row, mainTerms);
        const outcome = previewCommand(account.wallet, () => {
          const command = commandOf(row.user_id);
          requireUsable(account, command);
          if (isHalted()) throw new AppError('trading_halted', texts.tradingHalted);
          return decide(account, command, context);
        });
        return [row.user_id, outcome] as const;
      }),
    );
  };
}

/** What the engine refuses before its decision. @throws AppError contest_account, account_archived */
function requireUsable(account: Draft, command: Command): void {
  const programs = programRefusal(account, command);
  if (programs !== null) throw programs;
  if (account.committed.isArchived) throw new AppError('account_archived', texts.accountArchived);
}

export function createPreviews({ db, marketContextNow, mainTerms, isHalted }: PreviewDependencies) {
  /** While trading is halted the engine accepts no command, whatever its decision would be. */
  const withHaltRefusal = (outcome: FundsPreview): FundsPreview =>
    outcome.after !== null && isHalted()
      ? { ...outcome, after: null, refusal: texts.tradingHalted }
      : outcome;

  return {
    /** Previews `adjust_wallet_balance` (A12). */
    async preview_funds(
      caller: SignedIn,
      { p_user_id, p_account_id, p_amount }: ArgsOf<'preview_funds'>,
    ): Promise<FundsPreview> {
      const accountId = (p_account_id ?? p_user_id).toLowerCase();
      if ((await requireTrader(db, caller, accountId)) !== p_user_id.toLowerCase()) {
        throw new AppError('not_found', texts.userNotFound);
      }
      const { account } = await readAccount(db, mainTerms, accountId, null);
      const outcome = previewOutcome(account.wallet, () => {
        const command: Command = { kind: 'adjust', amount: parseFunds(p_amount), reason };
        requireUsable(account, command);
        return decide(account, command, marketContextNow());
      });
      return withHaltRefusal(outcome);
    },

    /** Previews an update of `positions`, for any version that the editor saw (A09). */
    async preview_position_edit(
      caller: SignedIn,
      { p_position_id, p_changes }: ArgsOf<'preview_position_edit'>,
    ): Promise<EditPreview> {
      const positionId = p_position_id.toLowerCase();
      const userId = await findVisiblePositionOwner(db, caller, positionId);
      await requireTrader(db, caller, userId);
      const { account, position } = await readAccount(db, mainTerms, userId, positionId);
      // Deleted since its owner was found.
      if (!position) throw refusalError({ code: 'position_not_found' });

      let after: Position = position;
      let derived = pnlByPrices(position, {});
      const outcome = previewOutcome(account.wallet, () => {
        const edit = isEmpty(p_changes) ? {} : toPositionEdit(toColumns(p_changes)).edit;
        derived = pnlByPrices(position, edit);
        const command = { kind: 'edit', positionId, edit, expectedVersion: null, reason } as const;
        requireUsable(account, command);
        const decision = decide(account, command, marketContextNow());
        if (decision.outcome === 'accepted' && decision.subject.kind === 'position') {
          after = decision.subject.position;
        }
        return decision;
      });
      return {
        ...withHaltRefusal(outcome),
        version: position.version,
        changes: [...changedColumns(position, after)],
        derived_pnl: derived === null ? null : toNumber(derived),
      };
    },
  };
}

/** `after` is null where it is refused. */
interface PreviewedCommand {
  readonly before: Wallet;
  readonly after: Wallet | null;
  readonly refusal: AppError | null;
}

function previewCommand(before: Wallet, attempt: () => Decision): PreviewedCommand {
  try {
    const decision = attempt();
    return decision.outcome === 'accepted'
      ? { before, after: decision.effects.wallet, refusal: null }
      : { before, after: null, refusal: refusalError(decision.refusal) };
  } catch (error) {
    // An input that is no valid amount, price or time.
    if (error instanceof AppError) return { before, after: null, refusal: error };
    throw error;
  }
}

function previewOutcome(wallet: Wallet, attempt: () => Decision): FundsPreview {
  const { before, after, refusal } = previewCommand(wallet, attempt);
  return {
    before: walletState(before),
    after: after && walletState(after),
    refusal: refusal?.message ?? null,
  };
}

/** The margin of positions and of waiting orders is one figure, so that balance less margin is what is available. */
const walletState = (wallet: Wallet): WalletState => ({
  balance: toNumber(balanceOf(wallet)),
  available_balance: toNumber(wallet.available),
  margin: toNumber(asMoney(wallet.margin + wallet.orderMargin)),
});

const isEmpty = (input: EditInput): boolean => Object.values(input).every((value) => value === undefined);

const decimals = {
  entry_price: 'entryPrice',
  close_price: 'closePrice',
  size: 'size',
  realized_pnl: 'realizedPnl',
  liquidation_price: 'liquidationPrice',
} as const satisfies Partial<Record<keyof EditInput, EditableField>>;

/** In the form of the table API's columns: decimals as text. @throws AppError for an invalid one */
function toColumns(input: EditInput): UntrustedRow {
  const columns: Record<string, unknown> = { ...input };
  for (const [column, field] of Object.entries(decimals)) {
    const value = columns[column];
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    try {
      columns[column] = toDecimalString(parseDecimal(value));
    } catch (error) {
      if (!(error instanceof DecimalError)) throw error;
      throw refusalError({ code: 'edit_value_invalid', field });
    }
  }
  return columns;
}

/** The account and one of its positions, open or closed, in one snapshot. @throws AppError `not_found` */
export async function readAccount(
  db: Database,
  mainTerms: AccountTerms,
  userId: string,
  positionId: string | null,
) {
  return inReadSnapshot(db, async (tx) => {
    const { rows } = await tx.query<AccountRow>(accountsQuery, [[userId], null], 'preview_account');
    const [row] = rows;
    if (!row) throw new AppError('not_found', texts.userNotFound);
    const named =
      positionId === null
        ? []
        : (
            await tx.query<{ position: StoredRow }>(
              namedPositionsQuery,
              [[positionId], [userId]],
              'preview_position',
            )
          ).rows.map(({ position }) => positionOf(position));
    return { account: toDraft(row, mainTerms, named), position: named[0] };
  });
}

/** `named`: closed positions that a command names. */
function toDraft(row: AccountRow, mainTerms: AccountTerms, named: readonly Position[] = []): Draft {
  const stored = accountOf(row, mainTerms);
  return new Draft(
    {
      ...stored,
      wallet: stored.wallet ?? { ...noWallet, accountId: row.user_id },
      positions: new Map(stored.positions.map((position) => [position.id, position])),
      orders: new Map(stored.orders.map((order) => [order.id, order])),
    },
    { positions: new Map(named.map((position) => [position.id, position])), orders: new Map() },
  );
}

/** A user without a wallet gets an empty one with the first command (RULE-26). */
const noWallet = {
  id: '',
  available: NO_MONEY,
  margin: NO_MONEY,
  orderMargin: NO_MONEY,
  version: 0,
} as const;
