/**
 * Converts a decided batch to the parallel arrays of `app.engine_write` (migration 0015). The objects below are the
 * one place that orders the named arguments. Empty arrays are written into the statement instead of being sent. So
 * there is one prepared statement per shape of batch, and few shapes.
 */
import { type Position, toDecimalString } from '@fulcrum/domain';
import { refusalError } from '../refusals.ts';
import { ledgerRowsOf } from './ledger-rows.ts';
import type { Batch, Totals } from './store.ts';

type Parameters = Readonly<Record<string, unknown>>;

/** An array literal of values whose text needs no quotes: uuid, numbers, closed lists of names. */
const list = (values: readonly (string | number | boolean | null)[]): string =>
  `{${values.map((value) => value ?? 'NULL').join(',')}}`;
const amountOrNull = (value: bigint | null | undefined): string | null =>
  value == null ? null : toDecimalString(value);
const amounts = (values: readonly (bigint | null | undefined)[]): string => list(values.map(amountOrNull));
const time = (ms: number | null | undefined): string | null =>
  ms == null ? null : new Date(ms).toISOString();

function walletParameters(batch: Batch): Parameters {
  // By user id, so that every writer locks the rows in the same order.
  const wallets = batch.wallets.toSorted((a, b) => (a.after.accountId < b.after.accountId ? -1 : 1));
  return {
    w_user_id: list(wallets.map(({ after }) => after.accountId)),
    w_expected_version: list(wallets.map(({ before }) => before.version)),
    w_version: list(wallets.map(({ after }) => after.version)),
    w_available: amounts(wallets.map(({ after }) => after.available)),
    w_margin: amounts(wallets.map(({ after }) => after.margin)),
    w_order_margin: amounts(wallets.map(({ after }) => after.orderMargin)),
  };
}

function positionParameters(batch: Batch): Parameters {
  const rows = batch.positions.map(({ after }) => after);
  const column = <Value>(of: (position: Position) => Value): Value[] => rows.map(of);
  return {
    p_id: list(column(({ id }) => id)),
    p_user_id: list(column(({ accountId }) => accountId)),
    p_symbol: column(({ symbol }) => symbol),
    p_side: list(column(({ side }) => side)),
    p_entry_price: amounts(column(({ entryPrice }) => entryPrice)),
    p_size: amounts(column(({ size }) => size)),
    p_leverage: list(column(({ leverage }) => leverage)),
    p_margin: amounts(column(({ margin }) => margin)),
    p_liquidation_price: amounts(column(({ liquidationPrice }) => liquidationPrice)),
    p_take_profit_price: amounts(column(({ takeProfitPrice }) => takeProfitPrice)),
    p_stop_loss_price: amounts(column(({ stopLossPrice }) => stopLossPrice)),
    p_initial_stop_loss_price: amounts(column(({ initialStopLossPrice }) => initialStopLossPrice)),
    p_status: list(column(({ closing }) => (closing === null ? 'open' : 'closed'))),
    p_close_price: amounts(column(({ closing }) => closing?.price)),
    p_realized_pnl: amounts(column(({ closing }) => closing?.realizedPnl)),
    p_close_reason: list(column(({ closing }) => closing?.reason ?? null)),
    p_close_price_source: list(column(({ closing }) => closing?.priceSource ?? null)),
    p_rules: list(column(({ rules }) => rules)),
    p_fee_rate: amounts(column(({ feeRate }) => feeRate)),
    p_fees: amounts(column(({ fees }) => fees)),
    p_split_from: list(column(({ splitFrom }) => splitFrom)),
    p_margin_warned: list(column(({ marginWarned }) => marginWarned)),
    p_close_at_reopen: list(column(({ closeAtReopen }) => closeAtReopen)),
    p_created_at: list(column(({ createdAt }) => time(createdAt))),
    p_closed_at: list(column(({ closing }) => time(closing?.at))),
    p_edited_at: list(column(({ editedAt }) => time(editedAt))),
    p_version: list(column(({ version }) => version)),
    p_account_version: list(column(({ accountVersion }) => accountVersion)),
  };
}

function orderParameters(batch: Batch): Parameters {
  const orders = batch.orders.map(({ after }) => after);
  return {
    o_id: list(orders.map(({ id }) => id)),
    o_user_id: list(orders.map(({ accountId }) => accountId)),
    o_symbol: orders.map(({ symbol }) => symbol),
    o_type: list(orders.map(({ type }) => type)),
    o_side: list(orders.map(({ side }) => side)),
    o_price: amounts(orders.map(({ price }) => price)),
    o_size: amounts(orders.map(({ size }) => size)),
    o_leverage: list(orders.map(({ leverage }) => leverage)),
    o_take_profit_price: amounts(orders.map(({ takeProfitPrice }) => takeProfitPrice)),
    o_stop_loss_price: amounts(orders.map(({ stopLossPrice }) => stopLossPrice)),
    o_reserved: amounts(orders.map(({ reserved }) => reserved)),
    o_rules: list(orders.map(({ rules }) => rules)),
    o_status: list(orders.map(({ status }) => status)),
    o_reason: orders.map(({ rejection }) => rejection && refusalError(rejection).message),
    o_position_id: list(orders.map(({ positionId }) => positionId)),
    o_client_id: orders.map(({ clientId }) => clientId),
    o_created_at: list(orders.map(({ createdAt }) => time(createdAt))),
    o_version: list(orders.map(({ version }) => version)),
    o_account_version: list(orders.map(({ accountVersion }) => accountVersion)),
  };
}

function ledgerParameters(batch: Batch): Parameters {
  const entries = batch.ledger.flatMap(({ accountId, group }) => ledgerRowsOf(accountId, group));
  return {
    l_group_id: list(entries.map(({ groupId }) => groupId)),
    l_account: list(entries.map(({ account }) => account)),
    l_user_id: list(entries.map(({ accountId }) => accountId)),
    l_amount: amounts(entries.map(({ amount }) => amount)),
    l_kind: list(entries.map(({ kind }) => kind)),
    l_source_id: list(entries.map(({ sourceId }) => sourceId)),
  };
}

const transactionParameters = ({ transactions }: Batch): Parameters => ({
  t_id: list(transactions.map(({ transaction }) => transaction.id)),
  t_user_id: list(transactions.map(({ wallet }) => wallet.accountId)),
  t_wallet_id: list(transactions.map(({ wallet }) => wallet.id)),
  t_type: list(transactions.map(({ transaction }) => transaction.type)),
  t_amount: amounts(transactions.map(({ transaction }) => transaction.amount)),
  t_description: transactions.map(({ transaction }) => transaction.description),
});

const notificationParameters = ({ notifications }: Batch): Parameters => ({
  n_id: list(notifications.map(({ notification }) => notification.id)),
  n_user_id: list(notifications.map(({ accountId }) => accountId)),
  n_kind: list(notifications.map(({ notification }) => notification.kind)),
  n_message: notifications.map(({ message }) => message),
  n_symbol: notifications.map(
    ({ notification: { position, order } }) => position?.symbol ?? order?.symbol ?? null,
  ),
  n_position_id: list(
    notifications.map(({ notification: { position, order } }) => position?.id ?? order?.positionId ?? null),
  ),
  n_order_id: list(notifications.map(({ notification }) => notification.order?.id ?? null)),
});

const equityParameters = ({ equity }: Batch): Parameters => ({
  e_user_id: list(equity.map(({ accountId }) => accountId)),
  e_balance: amounts(equity.map(({ balance }) => balance)),
  e_equity: amounts(equity.map((row) => row.equity)),
});

const answerParameters = ({ answers }: Batch): Parameters => ({
  a_user_id: list(answers.map(({ key }) => key.ownerId)),
  a_client_id: answers.map(({ key }) => key.clientId),
  a_procedure: list(answers.map(({ key }) => key.procedure)),
  a_body_hash: list(answers.map(({ key }) => key.bodyHash)),
  a_answer: answers.map(({ answer }) => JSON.stringify(answer)),
});

/** Null when there is nothing to add. */
function totalsParameter({
  volume,
  opened,
  closed,
  realizedPnl,
  deposits,
  withdrawals,
  fees,
  balance,
}: Totals): string | null {
  const money = [deposits, withdrawals, fees, balance].map(toDecimalString);
  const totals = [toDecimalString(volume), opened, closed, toDecimalString(realizedPnl), ...money];
  return totals.every((total) => Number(total) === 0) ? null : list(totals);
}

/** The rare parts of a batch as JSON; null without any. */
function rareParameter({ audits, restrictions, amended, deletions }: Batch): string | null {
  if (audits.length + restrictions.length + amended.length + deletions.length === 0) return null;
  return JSON.stringify({
    audits: audits.map(
      ({ actorId, onBehalfOf, subjectId, action, objectId, requestId, reason, detail, authority }) => ({
        actor_id: actorId,
        on_behalf_of: onBehalfOf,
        subject_id: subjectId,
        action,
        object_id: objectId,
        request_id: requestId,
        reason,
        detail,
        authority,
      }),
    ),
    restrictions: restrictions.map(({ accountId, restricted }) => ({ user_id: accountId, restricted })),
    amended: amended.map(({ accountId, positionId, amount }) => ({
      user_id: accountId,
      position_id: positionId,
      amount: toDecimalString(amount),
    })),
    deletions,
  });
}

interface Statement {
  /** Equal for equal texts: PostgreSQL prepares the statement once per session. */
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
}

/** The parts that may be empty, by the letter of their arguments. */
const parts = {
  p: { rows: (batch: Batch) => batch.positions, parametersOf: positionParameters },
  o: { rows: (batch: Batch) => batch.orders, parametersOf: orderParameters },
  l: { rows: (batch: Batch) => batch.ledger, parametersOf: ledgerParameters },
  t: { rows: (batch: Batch) => batch.transactions, parametersOf: transactionParameters },
  n: { rows: (batch: Batch) => batch.notifications, parametersOf: notificationParameters },
  e: { rows: (batch: Batch) => batch.equity, parametersOf: equityParameters },
  a: { rows: (batch: Batch) => batch.answers, parametersOf: answerParameters },
} as const;

const texts = new Map<string, string>();

function buildStatement(sent: readonly string[], batch: Batch, isSent: (letter: string) => boolean): string {
  const empty = Object.entries(parts).flatMap(([letter, { parametersOf }]) =>
    isSent(letter) ? [] : Object.keys(parametersOf(batch)),
  );
  const args = [...sent.map((name, i) => `${name} => $${i + 1}`), ...empty.map((name) => `${name} => '{}'`)];
  return `select app.engine_write(${args.join(', ')})`;
}

/** The one statement that writes the batch, all or nothing. */
export function writeStatement(batch: Batch, epoch: number): Statement {
  const sent: Record<string, unknown> = {
    b_epoch: epoch,
    b_id: batch.id,
    b_commands: batch.commands,
    b_at: new Date(batch.at),
    b_totals: totalsParameter(batch.totals),
    b_rare: rareParameter(batch),
    ...walletParameters(batch),
  };
  let shape = '';
  for (const [letter, { rows, parametersOf }] of Object.entries(parts)) {
    if (rows(batch).length === 0) continue;
    shape += letter;
    Object.assign(sent, parametersOf(batch));
  }
  const name = `engine_write_${shape}`;
  let text = texts.get(name);
  if (text === undefined) {
    text = buildStatement(Object.keys(sent), batch, (letter) => shape.includes(letter));
    texts.set(name, text);
  }
  return { name, text, values: Object.values(sent) };
}
