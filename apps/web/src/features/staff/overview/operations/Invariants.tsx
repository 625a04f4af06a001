/** The ledger invariants, each with the number that proves it. Failed ones come first and list the offending rows. */
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleX from 'lucide-react/icons/circle-x';
import { useState } from 'react';
import { formatClockWithSeconds, formatDay } from '../../../../shared/time/dates.ts';
import { Button, Dialog } from '../../../../shared/ui/index.ts';
import type { OperationsStatus } from '../useOverview.ts';
import { capitalize, groupInvariants, type Invariant, type InvariantGroup } from './labels.ts';

type CheckResult = 'holds' | 'fails' | 'unknown';
const variants = {
  holds: { Icon: CircleCheck, tone: 'text-up', label: 'Holds: ' },
  fails: { Icon: CircleX, tone: 'text-down', label: 'Does not hold: ' },
  unknown: { Icon: CircleDashed, tone: 'text-text-3', label: 'Not checked yet: ' },
} as const satisfies Record<CheckResult, object>;
/** An invariant counts as holding only after a check confirmed it. */
const toCheckResult = (ok: boolean, isChecked: boolean): CheckResult => {
  if (!ok) return 'fails';
  return isChecked ? 'holds' : 'unknown';
};

function Mark({ result }: { readonly result: CheckResult }) {
  const { Icon, tone, label } = variants[result];
  return (
    <>
      <Icon size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />
      <span className="sr-only">{label}</span>
    </>
  );
}

function InvariantGroupRow({
  title,
  failed,
  proof,
  isChecked,
}: InvariantGroup & { readonly isChecked: boolean }) {
  const ok = failed.length === 0;
  return (
    <li className="flex items-start gap-2 px-4 py-1 text-12">
      <Mark result={toCheckResult(ok, isChecked)} />
      <div className="min-w-0 grow">
        <p className={ok ? '' : 'font-medium text-down'}>{title}</p>
        {failed.map(({ name, detail }) => (
          <p key={name} className="text-11 break-words text-text-2">
            {`${capitalize(name)}: ${detail}`}
          </p>
        ))}
      </div>
      {ok ? <span className="figures shrink-0 text-right text-text-2">{proof}</span> : null}
    </li>
  );
}

function AllChecks({
  invariants,
  isChecked,
  onClose,
}: {
  readonly invariants: readonly Invariant[];
  readonly isChecked: boolean;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => isOpen || onClose()}
      title="All ledger checks"
      description="A full check covers the whole ledger at start and once a day. A check every minute covers the entries since then."
    >
      <ul className="flex flex-col gap-1.5">
        {invariants.map(({ name, ok, detail }) => (
          <li key={name} className="flex items-start gap-2 text-12">
            <Mark result={toCheckResult(ok, isChecked)} />
            <span className="min-w-0 grow">{capitalize(name)}</span>
            <span
              className={`figures max-w-[45%] shrink-0 text-right break-words ${ok ? 'text-text-2' : 'text-down'}`}
            >
              {detail}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

export function Invariants({
  invariants,
  checked_at,
  full_checked_at,
}: Pick<OperationsStatus, 'invariants' | 'checked_at' | 'full_checked_at'>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <section aria-label="Invariants" className="border-t border-line pb-2">
      <div className="flex h-9 items-center justify-between gap-2 px-4 text-11 text-text-3">
        <h3 className="font-normal">Invariants</h3>
        <span
          className="figures"
          title={
            full_checked_at === null
              ? undefined
              : `Last full check: ${formatDay(full_checked_at)}, ${formatClockWithSeconds(full_checked_at)}`
          }
        >
          {checked_at === null
            ? 'The first check is running'
            : `Checked ${formatClockWithSeconds(checked_at)}`}
        </span>
      </div>
      <ul>
        {groupInvariants(invariants).map((group) => (
          <InvariantGroupRow key={group.title} {...group} isChecked={checked_at !== null} />
        ))}
      </ul>
      <div className="px-2 pt-1">
        <Button tone="quiet" size="compact" onClick={() => setOpen(true)}>
          {`All ${invariants.length} checks`}
        </Button>
      </div>
      {isOpen ? (
        <AllChecks invariants={invariants} isChecked={checked_at !== null} onClose={() => setOpen(false)} />
      ) : null}
    </section>
  );
}
