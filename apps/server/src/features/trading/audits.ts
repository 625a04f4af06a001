/**
 * The audit row of a command that somebody gave for an account that is not their own: staff in their own name (A09, A12,
 * A72, A73) or acting as the trader (A45). Invariant: a deletion's row names nobody: ids and figures, no email, no name.
 */
import {
  asMoney,
  balanceOf,
  type Command,
  type Decision,
  type Money,
  type Position,
  toNumber,
} from '@fulcrum/domain';
import { changedColumns } from './changed-columns.ts';
import type { Request } from './engine/queue.ts';
import type { Answer, WrittenAudit } from './engine/store.ts';

type Accepted = Extract<Decision, { outcome: 'accepted' }>;

const actions = {
  open: 'position.open',
  close: 'position.close',
  close_at_reopen: 'position.close_at_reopen',
  protect: 'position.protect',
  edit: 'position.edit',
  place: 'order.place',
  cancel: 'order.cancel',
  amend: 'order.amend',
  adjust: 'funds.adjust',
  reset: 'account.reset',
  delete: 'account.delete',
} as const satisfies Partial<Record<Command['kind'], string>>;

/** Null for what the owner does, and for the engine's own commands. `answer` is what the command is answered with. */
export function auditOf(
  { of: { userId, actorId, authority, reason }, requestId }: Pick<Request, 'of' | 'requestId'>,
  command: Command,
  decision: Accepted,
  answer: Answer,
): WrittenAudit | null {
  if (actorId === userId) return null;
  const action = actionOf(command);
  if (action === null) return null;
  return {
    actorId,
    onBehalfOf: authority === null ? userId : null,
    subjectId: userId,
    action,
    objectId: objectOf(command, decision, answer),
    requestId,
    reason,
    detail: detailOf(command, decision, answer),
    authority,
  };
}

function actionOf(command: Command): string | null {
  switch (command.kind) {
    case 'fill':
    case 'trigger':
      return null;
    case 'restrict':
      return command.restricted ? 'account.restrict' : 'account.lift_restriction';
    default:
      return actions[command.kind];
  }
}

function objectOf(command: Command, { effects }: Accepted, answer: Answer): string | null {
  if ('positionId' in command) return command.positionId;
  if ('orderId' in command) return command.orderId;
  switch (command.kind) {
    case 'open':
    case 'place':
      return typeof answer.id === 'string' ? answer.id : null;
    case 'adjust':
      return effects.transactions[0]?.id ?? null;
    default:
      return null;
  }
}

function detailOf(command: Command, { effects }: Accepted, answer: Answer): Answer {
  switch (command.kind) {
    case 'edit': {
      const change = effects.positions.find(({ after }) => after.id === command.positionId);
      if (!change?.before) return { id: command.positionId, before: {}, after: {} };
      return differenceOf(change.before, change.after);
    }
    case 'adjust':
      return adjustmentOf(command.amount, balanceOf(effects.wallet));
    case 'delete':
      return {
        orders_canceled: effects.orders.length,
        positions_closed: effects.positions.length,
        booked_out: toNumber(
          effects.transactions.reduce(
            (sum, { type, amount }) => (type === 'withdrawal' ? sum + amount : sum),
            0n,
          ),
        ),
      };
    default:
      return answer;
  }
}

const adjustmentOf = (amount: Money, balance: Money): Answer => ({
  amount: toNumber(amount),
  before: { balance: toNumber(asMoney(balance - amount)) },
  after: { balance: toNumber(balance) },
});

/** What the edit changed and what followed from it, as it was and as it is, under the columns' names. */
function differenceOf(before: Position, after: Position): Answer {
  const changed = changedColumns(before, after);
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(changed.map((change) => [change.column, change[which]]));
  return { id: after.id, before: side('before'), after: side('after') };
}
