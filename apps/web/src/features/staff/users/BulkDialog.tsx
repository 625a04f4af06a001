/** One act on everybody who is selected: what will happen, its progress, and then what became of each. */
import Check from 'lucide-react/icons/check';
import Minus from 'lucide-react/icons/minus';
import X from 'lucide-react/icons/x';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { Button, Dialog, FormError } from '../../../shared/ui/index.ts';
import { checkReason, ManagerChoice, ReasonField, useRepeatable } from '../people/index.ts';
import { unknownUser } from '../people/unknown-user.ts';
import { type BulkCommand, type BulkKind, type ReportRow, useBulk } from './bulk.ts';
import { inReadingOrder, outcomeWord, summary } from './report.ts';
import { counted } from './words.ts';

const looks = {
  assign: {
    title: (whom: string) => `Assign manager of ${whom}`,
    text: 'The manager sees these traders from now on. Whoever had them before does not, from the same moment.',
    submit: (whom: string) => `Change ${whom}`,
    tone: 'primary',
  },
  restrict: {
    title: (whom: string) => `Restrict ${whom}`,
    text: 'They can sign in, close positions, cancel orders and chat, but open nothing. Their waiting orders are canceled, and they are told.',
    submit: (whom: string) => `Restrict ${whom}`,
    tone: 'down',
  },
  lift: {
    title: (whom: string) => `Lift the restriction of ${whom}`,
    text: 'They can open positions again, and are told so.',
    submit: (whom: string) => `Lift the restriction of ${whom}`,
    tone: 'primary',
  },
} as const satisfies Record<BulkKind, unknown>;

const outcomeLooks = {
  done: { Icon: Check, colour: 'text-up' },
  unchanged: { Icon: Minus, colour: 'text-text-2' },
  refused: { Icon: X, colour: 'text-down' },
} as const satisfies Record<ReportRow['outcome'], { Icon: typeof Check; colour: string }>;

function Report({ rows, kind }: { readonly rows: readonly ReportRow[]; readonly kind: BulkKind }) {
  const sentence = useRef<HTMLParagraphElement>(null);
  // The button that was pressed is gone.
  useEffect(() => sentence.current?.focus(), []);
  return (
    <>
      <p ref={sentence} tabIndex={-1} role="status" className="text-14 font-medium outline-none">
        {summary(rows, kind)}
      </p>
      <ul
        aria-label="Report"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled with the keyboard
        tabIndex={0}
        className="mt-3 max-h-72 overflow-y-auto rounded-control border border-line"
      >
        {inReadingOrder(rows).map((row) => {
          const { Icon, colour } = outcomeLooks[row.outcome];
          return (
            <li
              key={row.user_id}
              className="flex min-h-9 flex-wrap items-center gap-x-3 border-b border-line/65 px-3 py-1 text-13 last:border-b-0"
            >
              <bdi className="min-w-0 truncate font-medium">{row.username ?? unknownUser}</bdi>
              <span className={`ml-auto flex items-center gap-1.5 text-12 ${colour}`}>
                <Icon size={13} aria-hidden="true" />
                {outcomeWord(row.outcome, kind)}
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
  /** With what became of each, once all were answered. */
  readonly onDone: (rows: readonly ReportRow[]) => void;
  /** It stopped in the middle: some of them may be changed already. */
  readonly onStopped: () => void;
  readonly onClose: () => void;
  /** Where the focus goes when the bar that opened it is gone. */
  readonly fallbackFocus: () => HTMLElement | null;
}

export function BulkDialog({ kind, ids, onDone, onStopped, onClose, fallbackFocus }: BulkDialogProps) {
  const formId = useId();
  const first = useRef<HTMLInputElement & HTMLSelectElement>(null);
  const [managerId, setManagerId] = useState('');
  const [objection, setObjection] = useState<string | null>(null);
  const [report, setReport] = useState<readonly ReportRow[] | null>(null);
  const { rows, pending, failure, run } = useBulk(ids);
  const clientIdOf = useRepeatable();
  const whom = counted(ids.length, 'user', 'users');
  const { title, text, submit, tone } = looks[kind];

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (pending) return;
    const reason = String(new FormData(event.currentTarget).get('reason') ?? '').trim();
    const problem = kind === 'assign' ? null : checkReason(reason);
    setObjection(problem);
    if (problem !== null) {
      first.current?.focus();
      return;
    }
    const command: BulkCommand =
      kind === 'assign'
        ? { kind, managerId: managerId === '' ? null : managerId }
        : { kind, reason, clientId: clientIdOf(reason) };
    const answered = await run(command);
    if (answered === null) return onStopped();
    setReport(answered);
    onDone(answered);
  };

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || pending || onClose()}
      outside="stays"
      title={title(whom)}
      {...(report === null && { description: text })}
      initialFocus={first}
      fallbackFocus={fallbackFocus}
      actions={
        report === null ? (
          <>
            <Button onClick={onClose} muted={pending}>
              Cancel
            </Button>
            <Button type="submit" form={formId} tone={tone} pending={pending}>
              {submit(whom)}
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
        <form
          id={formId}
          aria-label={title(whom)}
          noValidate
          onSubmit={onSubmit}
          className="flex flex-col gap-4"
        >
          {kind === 'assign' ? (
            <ManagerChoice value={managerId} onChange={setManagerId} present={null} select={first} />
          ) : (
            <ReasonField
              field={first}
              hint="One for all; for the audit log."
              error={objection ?? undefined}
            />
          )}
          <p role="status" className="figures min-h-4 text-12 text-text-2">
            {pending || rows.length > 0 ? `${rows.length} of ${ids.length} answered` : ''}
          </p>
          <FormError>{failure}</FormError>
        </form>
      ) : (
        <Report rows={report} kind={kind} />
      )}
    </Dialog>
  );
}
