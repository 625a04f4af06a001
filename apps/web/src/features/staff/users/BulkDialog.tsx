/** Dialog for one action on all selected users: its effect, its progress and the result of each. */
import { texts } from '@fulcrum/contract/texts';
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import { useEffect, useId, useRef, useState } from 'react';
import { useRepeatableClientId, useSubmission } from '../../../shared/form/index.ts';
import { log } from '../../../shared/log/log.ts';
import { getErrorMessage } from '../../../shared/supabase/index.ts';
import { Button, Dialog } from '../../../shared/ui/index.ts';
import { ManagerSelect, ReasonField, validateReason } from '../user-dialogs/index.ts';
import { unknownUser } from '../user-dialogs/unknown-user.ts';
import { type BulkCommand, type BulkKind, type ReportRow, useBulk } from './bulk.ts';
import { pluralize } from './labels.ts';
import { formatSummary, outcomeLabel, sortByOutcome } from './report.ts';

const dialogTexts = {
  assign: {
    title: (usersLabel: string) => `Assign manager of ${usersLabel}`,
    text: 'The new manager sees these traders from now on. Previous managers lose access at the same moment.',
    submit: (usersLabel: string) => `Change ${usersLabel}`,
    tone: 'primary',
  },
  restrict: {
    title: (usersLabel: string) => `Restrict ${usersLabel}`,
    text: 'The users can sign in, close positions, cancel orders and chat, but can’t open positions or place orders. Their open orders are canceled, and they will be notified.',
    submit: (usersLabel: string) => `Restrict ${usersLabel}`,
    tone: 'down',
  },
  lift: {
    title: (usersLabel: string) => `Lift the restriction of ${usersLabel}`,
    text: 'The users can trade again and will be notified.',
    submit: (usersLabel: string) => `Lift the restriction of ${usersLabel}`,
    tone: 'primary',
  },
} as const satisfies Record<BulkKind, unknown>;

const outcomeVariants = {
  done: { Icon: Check, colour: 'text-up' },
  unchanged: { Icon: Minus, colour: 'text-text-2' },
  refused: { Icon: X, colour: 'text-down' },
} as const satisfies Record<ReportRow['outcome'], { Icon: typeof Check; colour: string }>;

function BulkReport({ rows, kind }: { readonly rows: readonly ReportRow[]; readonly kind: BulkKind }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  // The pressed button is gone.
  useEffect(() => sentence.current?.focus(), []);
  return (
    <>
      <p ref={sentence} tabIndex={-1} role="status" className="text-14 font-medium outline-none">
        {formatSummary(rows, kind)}
      </p>
      <ul
        aria-label="Report"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
        tabIndex={0}
        className="mt-3 max-h-72 overflow-y-auto rounded-control border border-line"
      >
        {sortByOutcome(rows).map((row) => {
          const { Icon, colour } = outcomeVariants[row.outcome];
          return (
            <li
              key={row.user_id}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line/65 px-3 py-1 text-13 last:border-b-0"
            >
              <bdi className="min-w-0 truncate font-medium">{row.username ?? unknownUser}</bdi>
              <span className={`ml-auto flex items-center gap-1.5 text-12 ${colour}`}>
                <Icon size={13} aria-hidden="true" />
                {outcomeLabel(row.outcome, kind)}
              </span>
              {row.message === null ? null : (
                <span className="w-full text-12 text-text-2">{row.message}</span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface BulkDialogProps {
  readonly kind: BulkKind;
  readonly ids: readonly string[];
  /** Called with the result of each user, once all were answered. */
  readonly onDone: (rows: readonly ReportRow[]) => void;
  /** Called when a portion failed: some users may already be changed. */
  readonly onStopped: () => void;
  readonly onClose: () => void;
  /** Receives the focus when the bar that opened the dialog is gone. */
  readonly fallbackFocus: () => HTMLElement | null;
}

export function BulkDialog({ kind, ids, onDone, onStopped, onClose, fallbackFocus }: BulkDialogProps) {
  const formId = useId();
  const first = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const [managerId, setManagerId] = useState('');
  const [report, setReport] = useState<readonly ReportRow[] | null>(null);
  const { rows, run } = useBulk(ids);
  const clientIdFor = useRepeatableClientId();
  const usersLabel = pluralize(ids.length, 'user', 'users');
  const { title, text, submit, tone } = dialogTexts[kind];

  const { form, pending, failure, errorOf } = useSubmission({
    names: ['reason'],
    check: ({ reason }) => ({ reason: kind === 'assign' ? null : validateReason(reason.trim()) }),
    send: async (fields) => {
      const reason = fields.reason.trim();
      const command: BulkCommand =
        kind === 'assign'
          ? { kind, managerId: managerId === '' ? null : managerId }
          : { kind, reason, clientId: clientIdFor(reason) };
      const reportRows = await run(command);
      return () => {
        setReport(reportRows);
        onDone(reportRows);
      };
    },
    failed: (cause) => {
      onStopped();
      log.warn('A bulk action stopped', cause);
      return getErrorMessage(cause, texts.unexpectedError);
    },
  });

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onClose()}
      outside="stays"
      title={title(usersLabel)}
      {...(report === null && { description: text })}
      initialFocus={first}
      fallbackFocus={fallbackFocus}
      failure={failure}
      actions={
        report === null ? (
          <>
            <Button onClick={onClose} muted={pending}>
              Cancel
            </Button>
            <Button type="submit" form={formId} tone={tone} pending={pending}>
              {submit(usersLabel)}
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
        <form {...form} id={formId} aria-label={title(usersLabel)} className="flex flex-col gap-4">
          {kind === 'assign' ? (
            <ManagerSelect value={managerId} onChange={setManagerId} currentManagerId={null} select={first} />
          ) : (
            <ReasonField
              field={first}
              hint="One reason for all users. Stored in the audit log."
              error={errorOf('reason')}
            />
          )}
          <p role="status" className="figures min-h-4 text-12 text-text-2">
            {pending || rows.length > 0 ? `${rows.length} of ${ids.length} answered` : ''}
          </p>
        </form>
      ) : (
        <BulkReport rows={report} kind={kind} />
      )}
    </Dialog>
  );
}
