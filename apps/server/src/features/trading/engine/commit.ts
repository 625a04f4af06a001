/**
 * A decided batch as the parallel arrays of `app.engine_commit` (migration 0004). Named arguments: the object below is
 * the one place that orders them. What staff did in somebody else's name is audited by the same statement (A45).
 */

import type { PositionChange, Wallet } from '@fulcrum/domain';
import {
  InvariantViolation,
  type LedgerGroup,
  type Position,
  type Transaction,
  toDecimalString,
} from '@fulcrum/domain';
import type { IdempotencyKey } from './answers.ts';

export interface WrittenAnswer {
  readonly userId: string;
  readonly key: IdempotencyKey;
  /** JSON. */
  readonly answer: string;
}

/** What a staff member did while acting as the account's owner. */
export interface WrittenAudit {
  readonly actorId: string;
  readonly userId: string;
  readonly action: 'position.open' | 'position.close';
  /** JSON. */
  readonly detail: string;
}

export interface Batch {
  readonly id: string;
  readonly epoch: number;
  /** Milliseconds since the epoch: the time of every row. */
  readonly at: number;
  /** Commands that changed something. */
  readonly commands: number;
  /** One per account. */
  readonly wallets: readonly { readonly before: Wallet; readonly after: Wallet }[];
  readonly positions: readonly PositionChange[];
  readonly ledger: readonly { readonly userId: string; readonly group: LedgerGroup }[];
  readonly transactions: readonly { readonly wallet: Wallet; readonly transaction: Transaction }[];
  readonly answers: readonly WrittenAnswer[];
  readonly audits: readonly WrittenAudit[];
}

type Closed = Position & { readonly closing: NonNullable<Position['closing']> };
const isClosed = (position: Position): position is Closed => position.closing !== null;

/** An array literal of values whose text needs no quotes: uuid, numbers, closed lists of words. */
const list = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
const amounts = (values: readonly bigint[]): string => list(values.map(toDecimalString));

/** @throws InvariantViolation for a change that `engine_commit` does not write. */
function split(changes: readonly PositionChange[]): { opened: Position[]; closed: Closed[] } {
  const opened: Position[] = [];
  const closed: Closed[] = [];
  for (const { before, after } of changes) {
    if (before === null && !isClosed(after)) opened.push(after);
    else if (before !== null && isClosed(after)) closed.push(after);
    else throw new InvariantViolation(`a batch opens or closes position ${after.id}`);
  }
  return { opened, closed };
}

function commitParameters(batch: Batch): { names: readonly string[]; values: unknown[] } {
  // By user id: the rows are locked in one order, whoever locks them.
  const wallets = batch.wallets.toSorted((a, b) => (a.after.userId < b.after.userId ? -1 : 1));
  const { opened, closed } = split(batch.positions);
  const entries = batch.ledger.flatMap(({ userId, group }) =>
    group.entries.map((entry) => ({
      ...entry,
      group,
      userId: entry.account.startsWith('user:') ? userId : null,
    })),
  );
  const { transactions, answers } = batch;
  const parameters = {
    p_epoch: batch.epoch,
    p_batch: batch.id,
    p_commands: batch.commands,
    p_at: new Date(batch.at),

    w_user_id: list(wallets.map(({ after }) => after.userId)),
    w_expected_version: list(wallets.map(({ before }) => before.version)),
    w_version: list(wallets.map(({ after }) => after.version)),
    w_available: amounts(wallets.map(({ after }) => after.available)),
    w_margin: amounts(wallets.map(({ after }) => after.margin)),
    w_order_margin: amounts(wallets.map(({ after }) => after.orderMargin)),

    o_id: list(opened.map(({ id }) => id)),
    o_user_id: list(opened.map(({ userId }) => userId)),
    o_symbol: opened.map(({ symbol }) => symbol),
    o_side: list(opened.map(({ side }) => side)),
    o_entry_price: amounts(opened.map(({ entryPrice }) => entryPrice)),
    o_size: amounts(opened.map(({ size }) => size)),
    o_leverage: list(opened.map(({ leverage }) => leverage)),
    o_margin: amounts(opened.map(({ margin }) => margin)),
    o_liquidation_price: amounts(opened.map(({ liquidationPrice }) => liquidationPrice)),
    o_rules: list(opened.map(({ rules }) => rules)),
    o_account_version: list(opened.map(({ accountVersion }) => accountVersion)),

    c_id: list(closed.map(({ id }) => id)),
    c_user_id: list(closed.map(({ userId }) => userId)),
    c_close_price: amounts(closed.map(({ closing }) => closing.price)),
    c_realized_pnl: amounts(closed.map(({ closing }) => closing.realizedPnl)),
    c_close_reason: list(closed.map(({ closing }) => closing.reason)),
    c_close_price_source: list(closed.map(({ closing }) => closing.priceSource)),
    c_version: list(closed.map(({ version }) => version)),
    c_account_version: list(closed.map(({ accountVersion }) => accountVersion)),

    l_group_id: list(entries.map(({ group }) => group.id)),
    l_account: list(entries.map(({ account }) => account)),
    l_user_id: list(entries.map(({ userId }) => userId)),
    l_amount: amounts(entries.map(({ amount }) => amount)),
    l_kind: list(entries.map(({ group }) => group.kind)),
    l_source_id: list(entries.map(({ group }) => group.sourceId)),

    t_id: list(transactions.map(({ transaction }) => transaction.id)),
    t_user_id: list(transactions.map(({ wallet }) => wallet.userId)),
    t_wallet_id: list(transactions.map(({ wallet }) => wallet.id)),
    t_type: list(transactions.map(({ transaction }) => transaction.type)),
    t_amount: amounts(transactions.map(({ transaction }) => transaction.amount)),
    t_description: transactions.map(({ transaction }) => transaction.description),

    a_user_id: list(answers.map(({ userId }) => userId)),
    a_client_id: answers.map(({ key }) => key.clientId),
    a_procedure: list(answers.map(({ key }) => key.procedure)),
    a_body_hash: list(answers.map(({ key }) => key.bodyHash)),
    a_answer: answers.map(({ answer }) => answer),
  };
  return { names: Object.keys(parameters), values: Object.values(parameters) };
}

interface Statement {
  /** The same for the same text: PostgreSQL prepares it once per session. */
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

const texts = new Map<string, string>();

/** The one statement that writes the batch, all or nothing. */
export function commitStatement(batch: Batch): Statement {
  const { names, values } = commitParameters(batch);
  const { audits } = batch;
  const name = audits.length > 0 ? 'engine_commit_audited' : 'engine_commit';
  let text = texts.get(name);
  if (text === undefined) {
    text = `select app.engine_commit(${names.map((argument, i) => `${argument} => $${i + 1}`).join(', ')})`;
    if (audits.length > 0) text = `${auditedFrom(names.length + 1)} ${text}`;
    texts.set(name, text);
  }
  if (audits.length === 0) return { name, text, values };
  return {
    name,
    text,
    values: [
      ...values,
      list(audits.map(({ actorId }) => actorId)),
      list(audits.map(({ userId }) => userId)),
      list(audits.map(({ action }) => action)),
      audits.map(({ detail }) => detail),
      new Date(batch.at),
    ],
  };
}

const auditedFrom = (first: number): string =>
  `with audited as (insert into app.audit_log (actor_id, subject_id, action, detail, at)
     select b.actor_id, b.subject_id, b.action, b.detail::jsonb, $${first + 4}::timestamptz
     from unnest($${first}::uuid[], $${first + 1}::uuid[], $${first + 2}::text[], $${first + 3}::text[])
       as b (actor_id, subject_id, action, detail))`;
