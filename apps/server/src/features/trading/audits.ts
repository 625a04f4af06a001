/**
 * The audit row of a command that somebody gave for an account that is not their own: staff in their own name (A09, A12,
 * A72, A73) or acting as the trader (A45). Invariant: a deletion's row names nobody: ids and figures, no email, no name.
 */
import { balanceOf, type Command, type Decision, type Position, toNumber } from '@fulcrum/domain';
import type { CommandOf } from './engine/queue.ts';
import type { Answer, WrittenAudit } from './engine/store.ts';
import { positionRow } from './position-row.ts';

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

/** Columns that change with every edit. */
const bookkeeping: ReadonlySet<string> = new Set(['version', 'account_version', 'updated_at', 'edited_at']);

/** Null for what the owner does, and for the engine's own commands. `answer` is what the command is answered with. */
export function auditOf(
  { userId, actorId, authority, reason }: CommandOf,
  command: Command,
  decision: Accepted,
  answer: Answer,
): WrittenAudit | null {
  if (actorId === userId) return null;
  const action = actionOf(command);
  if (action === null) return null;
  return {
    actorId,
    subjectId: userId,
    action,
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

function detailOf(command: Command, { effects }: Accepted, answer: Answer): Answer {
  switch (command.kind) {
    case 'edit': {
      const change = effects.positions.find(({ after }) => after.id === command.positionId);
      if (!change?.before) return answer;
      return differenceOf(change.before, change.after);
    }
    case 'adjust':
      return { amount: toNumber(command.amount), balance: toNumber(balanceOf(effects.wallet)) };
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

/** What the edit changed and what followed from it, as it was and as it is, under the columns' names. */
function differenceOf(before: Position, after: Position): Answer {
  const was: Answer = positionRow(before, undefined);
  const is: Answer = positionRow(after, undefined);
  const changed = Object.keys(is).filter((column) => !bookkeeping.has(column) && was[column] !== is[column]);
  const pick = (row: Answer) => Object.fromEntries(changed.map((column) => [column, row[column]]));
  return { id: after.id, before: pick(was), after: pick(is) };
}
