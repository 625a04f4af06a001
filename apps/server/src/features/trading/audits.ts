/**
 * The audit row of a command on another user's account: by staff in their own name (A09, A12, A72, A73) or during
 * impersonation (A45). Invariant: the row of a deletion holds ids and figures only, no email and no name.
 */
import type { AuditedAction } from '@fulcrum/contract';
import {
  asMoney,
  balanceOf,
  type Command,
  type Decision,
  type Money,
  NO_MONEY,
  type Position,
  toNumber,
} from '@fulcrum/domain';
import { changedColumns } from './changed-columns.ts';
import type { CommandRequest } from './engine/queue.ts';
import type { Answer, AuditEntry } from './engine/store.ts';

type Accepted = Extract<Decision, { outcome: 'accepted' }>;

const actions = {
  open: 'position.open',
  close: 'position.close',
  reverse: 'position.reverse',
  close_at_reopen: 'position.close_at_reopen',
  protect: 'position.protect',
  adjust_margin: 'position.adjust_margin',
  edit: 'position.edit',
  set_leverage: 'leverage.set',
  place: 'order.place',
  cancel: 'order.cancel',
  amend: 'order.amend',
  adjust: 'funds.adjust',
  reset: 'account.reset',
  delete: 'account.delete',
} as const satisfies Partial<Record<Command['kind'], AuditedAction>>;

/** Null for the owner's commands and for the engine's own. `answer` is the answer of the command. */
export function createAuditEntry(
  {
    origin: { accountId, ownerId, actorId, authority, reason },
    requestId,
  }: Pick<CommandRequest, 'origin' | 'requestId'>,
  command: Command,
  decision: Accepted,
  answer: Answer,
): AuditEntry | null {
  if (actorId === ownerId) return null;
  const action = actionOf(command);
  if (action === null) return null;
  return {
    actorId,
    onBehalfOf: authority === null ? ownerId : null,
    subjectId: ownerId,
    action,
    objectId: getObjectId(command, decision, answer),
    requestId,
    reason,
    detail: {
      ...getDetail(command, decision, answer),
      // Of a main account the subject says it.
      ...(accountId !== ownerId && { account_id: accountId }),
    },
    authority,
  };
}

function actionOf(command: Command): AuditedAction | null {
  switch (command.kind) {
    case 'fill':
    case 'trigger':
    case 'expire':
    case 'follow':
    case 'fund':
    case 'close_out':
    case 'judge':
      return null;
    case 'restrict':
      return command.restricted ? 'account.restrict' : 'account.lift_restriction';
    default:
      return actions[command.kind];
  }
}

function getObjectId(command: Command, { effects }: Accepted, answer: Answer): string | null {
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

function getDetail(command: Command, { effects }: Accepted, answer: Answer): Answer {
  switch (command.kind) {
    case 'edit': {
      const change = effects.positions.find(({ after }) => after.id === command.positionId);
      if (!change?.before) return { id: command.positionId, before: {}, after: {} };
      return editDetail(change.before, change.after);
    }
    case 'adjust':
      return adjustmentDetail(effects.transactions[0]?.amount ?? NO_MONEY, balanceOf(effects.wallet));
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

const adjustmentDetail = (amount: Money, balance: Money): Answer => ({
  amount: toNumber(amount),
  before: { balance: toNumber(asMoney(balance - amount)) },
  after: { balance: toNumber(balance) },
});

/** The changed columns of an edit, including those that follow from it, before and after. */
function editDetail(before: Position, after: Position): Answer {
  const changed = changedColumns(before, after);
  const side = (which: 'before' | 'after') =>
    Object.fromEntries(changed.map((change) => [change.column, change[which]]));
  return { id: after.id, before: side('before'), after: side('after') };
}
