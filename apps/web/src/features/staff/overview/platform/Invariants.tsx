/** What holds of the books, with the number that proves it; what does not comes first and names the offenders. */
import CircleCheck from 'lucide-react/icons/circle-check';
import CircleDashed from 'lucide-react/icons/circle-dashed';
import CircleX from 'lucide-react/icons/circle-x';
import { useState } from 'react';
import { formatDay } from '../../../../shared/time/dates.ts';
import { Button, Dialog } from '../../../../shared/ui/index.ts';
import type { Platform } from '../useOverview.ts';
import { type Invariant, type Subject, sentence, subjectsOf } from './words.ts';

const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
});
const clockOf = (iso: string): string => clock.format(Date.parse(iso));

type Finding = 'holds' | 'fails' | 'unknown';
const looks = {
  holds: { Icon: CircleCheck, tone: 'text-up', words: 'Holds: ' },
  fails: { Icon: CircleX, tone: 'text-down', words: 'Does not hold: ' },
  unknown: { Icon: CircleDashed, tone: 'text-text-3', words: 'Not checked yet: ' },
} as const satisfies Record<Finding, object>;
/** Nothing holds before a pass has found it so. */
const findingOf = (ok: boolean, isChecked: boolean): Finding => {
  if (!ok) return 'fails';
  return isChecked ? 'holds' : 'unknown';
};

function Mark({ finding }: { readonly finding: Finding }) {
  const { Icon, tone, words } = looks[finding];
  return (
    <>
      <Icon size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${tone}`} />
      <span className="sr-only">{words}</span>
    </>
  );
}

function SubjectRow({ title, failed, proof, isChecked }: Subject & { readonly isChecked: boolean }) {
  const ok = failed.length === 0;
  return (
    <li className="flex items-start gap-2 px-4 py-1 text-12">
      <Mark finding={findingOf(ok, isChecked)} />
      <div className="min-w-0 grow">
        <p className={ok ? '' : 'font-medium text-down'}>{title}</p>
        {failed.map(({ name, detail }) => (
          <p key={name} className="text-11 break-words text-text-2">
            {`${sentence(name)}: ${detail}`}
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
      title="All checks of the books"
      description="A full pass judges everything once a day and at the start; a pass every minute judges what was booked since."
    >
      <ul className="flex flex-col gap-1.5">
        {invariants.map(({ name, ok, detail }) => (
          <li key={name} className="flex items-start gap-2 text-12">
            <Mark finding={findingOf(ok, isChecked)} />
            <span className="min-w-0 grow">{sentence(name)}</span>
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
}: Pick<Platform, 'invariants' | 'checked_at' | 'full_checked_at'>) {
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
              : `All of it last on ${formatDay(full_checked_at)}, ${clockOf(full_checked_at)}`
          }
        >
          {checked_at === null ? 'The first pass is running' : `Checked ${clockOf(checked_at)}`}
        </span>
      </div>
      <ul>
        {subjectsOf(invariants).map((subject) => (
          <SubjectRow key={subject.title} {...subject} isChecked={checked_at !== null} />
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
