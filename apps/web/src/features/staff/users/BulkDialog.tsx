/** Dialog for one action on all selected users: its effect, its preview, its progress and the result of each. */
import { texts } from '@fulcrum/contract/texts';
import { useId, useRef, useState } from 'react';
import { useRepeatableClientId, useSubmission } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import { formatAmount } from '../../../shared/numbers/index.ts';
import { pluralize } from '../../../shared/numbers/pluralize.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { Button, Dialog, showToast } from '../../../shared/ui/index.ts';
import { ManagerSelect, ReasonField, validateReason } from '../user-dialogs/index.ts';
import { amountOf, BulkFields, type BulkTerms, noTerms, toCommand } from './BulkFields.tsx';
import { BulkPreviewPane, useBulkPreview } from './BulkPreviewPane.tsx';
import { BulkReport } from './BulkReport.tsx';
import { type BulkCommand, type BulkKind, type ReportRow, useBulk } from './bulk.ts';
import { type BulkAction, countOutcome, toBulkAction } from './report.ts';

interface Scope {
  /** `3 users`. */
  readonly users: string;
  readonly className: string | null;
}
interface DialogTexts {
  readonly title: (scope: Scope) => string;
  readonly text: (scope: Scope) => string;
  readonly tone: 'primary' | 'down';
}

const dialogTexts = {
  assign: {
    title: ({ users }) => `Assign manager of ${users}`,
    text: () =>
      'The new manager sees these traders from now on. Previous managers lose access at the same moment.',
    tone: 'primary',
  },
  restrict: {
    title: ({ users }) => `Restrict ${users}`,
    text: () =>
      'The users can sign in, close positions, cancel orders and chat, but can’t open positions or place orders. Their open orders are canceled, and they will be notified.',
    tone: 'down',
  },
  lift: {
    title: ({ users }) => `Lift the restriction of ${users}`,
    text: () => 'The users can trade again and will be notified.',
    tone: 'primary',
  },
  funds: {
    title: ({ users }) => `Adjust funds of ${users}`,
    text: ({ className }) =>
      `The balances of their ${accounts(className)} change. The users will be notified.`,
    tone: 'primary',
  },
  reset: {
    title: ({ users }) => `Reset ${users}`,
    text: ({ className }) =>
      `Open orders of their ${accounts(className)} are canceled, open positions closed, and the balances set to the start balance. The history stays, and the users will be notified.`,
    tone: 'down',
  },
  class: {
    title: ({ users, className }) =>
      className === null ? `Add ${users} to a class` : `Move ${users} from ${className}`,
    text: ({ className }) =>
      className === null
        ? 'Each gets an account of the class with its money and rules. Other accounts stay as they are.'
        : 'Each gets an account of the new class. The account of this class is archived: its history stays readable.',
    tone: 'primary',
  },
  invite: {
    title: ({ users }) => `Invite ${users} again`,
    text: () =>
      'Users who never signed in get a fresh link to choose a password. It works once, for seven days.',
    tone: 'primary',
  },
} as const satisfies Record<BulkKind, DialogTexts>;

const accounts = (className: string | null): string =>
  className === null ? 'main accounts' : `accounts of ${className}`;

const submitTexts = {
  assign: (users) => `Change ${users}`,
  restrict: (users) => `Restrict ${users}`,
  lift: (users) => `Lift the restriction of ${users}`,
  reset: (users) => `Reset ${users}`,
  class: (users) => `Add ${users}`,
  move: (users) => `Move ${users}`,
  invite: (users) => `Invite ${users}`,
  funds: (users) => `Adjust ${users}`,
} as const satisfies Record<BulkAction, (users: string) => string>;

const fundsTexts = {
  add: (amount, users) => `Add ${amount} to ${users}`,
  subtract: (amount, users) => `Subtract ${amount} from ${users}`,
  set: (amount, users) => `Set ${users} to ${amount}`,
} as const satisfies Record<BulkTerms['change'], (amount: string, users: string) => string>;

interface BulkDialogProps {
  readonly kind: BulkKind;
  readonly ids: readonly string[];
  /** The class whose members they are; without it the action is on main accounts. */
  readonly inClass?: { readonly id: string; readonly name: string };
  /** Called with the result of each user, once all were answered. */
  readonly onDone: (rows: readonly ReportRow[]) => void;
  /** Called when a portion failed, with the users who have no answer; the others are changed, or were refused. */
  readonly onStopped: (unanswered: readonly string[]) => void;
  readonly onClose: () => void;
  /** Receives the focus when the bar that opened the dialog is gone. */
  readonly fallbackFocus: () => HTMLElement | null;
}

export function BulkDialog(props: BulkDialogProps) {
  const { kind, ids, inClass, onDone, onStopped, onClose, fallbackFocus } = props;
  const formId = useId();
  const first = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const [managerId, setManagerId] = useState('');
  const [terms, setTerms] = useState(noTerms);
  const [wasSubmitted, setWasSubmitted] = useState(false);
  const [report, setReport] = useState<readonly ReportRow[] | null>(null);
  const { rows, run, isStarted, unanswered } = useBulk(ids);
  const clientIdFor = useRepeatableClientId();
  const reasoned = kind === 'assign' ? null : toCommand(kind, terms, inClass?.id ?? null);
  const preview = useBulkPreview(ids, report === null ? reasoned : null);
  const scope = { users: pluralize(ids.length, 'user'), className: inClass?.name ?? null };
  const { title, text, tone } = dialogTexts[kind];
  const action = toBulkAction(kind, inClass !== undefined);
  const termsError = kind === 'assign' ? null : termsErrorOf(kind, terms, wasSubmitted);

  const { form, pending, failure, errorOf } = useSubmission({
    names: ['reason'],
    check: ({ reason }) => {
      setWasSubmitted(true);
      return { reason: kind === 'assign' ? null : validateReason(reason.trim()) };
    },
    send: async (fields) => {
      const reason = fields.reason.trim();
      const command: BulkCommand | null =
        kind === 'assign'
          ? { kind, managerId: managerId === '' ? null : managerId }
          : reasoned && { ...reasoned, reason, clientId: clientIdFor(JSON.stringify([reasoned, reason])) };
      if (command === null) {
        first.current?.focus();
        return null;
      }
      const reportRows = await run(command);
      return () => {
        setReport(reportRows);
        onDone(reportRows);
      };
    },
    failed: (cause) => {
      onStopped(unanswered().ids);
      log.warn('A bulk action stopped', cause);
      return getErrorMessage(cause, texts.unexpectedError);
    },
  });

  // By the preview, where there is one: the users who will change.
  const changed =
    preview.isCurrent && preview.preview ? countOutcome(preview.preview.rows, 'done') : ids.length;
  const changedUsers = pluralize(changed, 'user');
  const { amount } = amountOf(terms);
  const submit =
    kind === 'funds' && reasoned?.kind === 'funds' && amount !== null
      ? fundsTexts[terms.change](`${formatAmount(Number(reasoned.amount))} USDT`, changedUsers)
      : submitTexts[action](changedUsers);

  const close = () => {
    const { ids: left, unknown } = unanswered();
    if (isStarted && report === null) {
      const text = `${ids.length - left.length} of ${ids.length} answered. The next ${unknown} may be changed too: check them before you start again.`;
      showToast('info', text);
    }
    onClose();
  };
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || close()}
      outside="stays"
      title={title(scope)}
      {...(report === null && { description: text(scope) })}
      initialFocus={first}
      fallbackFocus={fallbackFocus}
      failure={failure}
      actions={
        report === null ? (
          <>
            <Button onClick={close} muted={pending}>
              {isStarted ? 'Stop here' : 'Cancel'}
            </Button>
            <Button type="submit" form={formId} tone={tone} pending={pending}>
              {isStarted && !pending ? 'Continue' : submit}
            </Button>
          </>
        ) : (
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        )
      }
    >
      {report === null ? (
        <form {...form} id={formId} aria-label={title(scope)} className="flex flex-col gap-4">
          {/* What was sent is continued as it is. */}
          <div inert={isStarted} className={`flex flex-col gap-4 ${isStarted ? 'opacity-60' : ''}`}>
            {kind === 'assign' ? (
              <ManagerSelect
                value={managerId}
                onChange={setManagerId}
                currentManagerId={null}
                select={first}
              />
            ) : (
              <>
                <BulkFields
                  kind={kind}
                  terms={terms}
                  onChange={setTerms}
                  inClass={inClass?.id ?? null}
                  error={termsError}
                  field={first}
                />
                <ReasonField
                  {...(kind !== 'funds' && { field: first })}
                  hint="One reason for all users. Stored in the audit log."
                  error={errorOf('reason')}
                />
                {reasoned === null ? null : <BulkPreviewPane {...preview} />}
              </>
            )}
          </div>
          <p role="status" className="figures min-h-4 text-12 text-text-2">
            {pending || rows.length > 0 ? `${rows.length} of ${ids.length} answered` : ''}
          </p>
        </form>
      ) : (
        <BulkReport rows={report} action={action} />
      )}
    </Dialog>
  );
}

/** Of the field beside the reason. An empty one is an error once the form was sent. */
function termsErrorOf(
  kind: Exclude<BulkKind, 'assign'>,
  terms: BulkTerms,
  wasSubmitted: boolean,
): string | null {
  const { amount, error } = amountOf(terms);
  if (kind === 'funds') return error ?? (wasSubmitted && amount === null ? 'Enter an amount.' : null);
  if (kind === 'class' && wasSubmitted && terms.classId === '') return 'Choose a class.';
  return null;
}
