/**
 * The confirmation before an action on many rows. It lists each row with its figure and the total, then the progress,
 * then each outcome. It stays open until all is done or gone, or the user closes it; failed rows can be retried alone.
 */
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { Button, Dialog, FormError, Spinner, showToast } from '../../shared/ui/index.ts';
import { formatOutcome, getSendable, type PlanRow } from './batch-plan.ts';

interface BatchLabels<Item> {
  readonly title: string;
  /** Label of the button that cancels, such as `Keep them open`. */
  readonly keep: string;
  /** Label of the button that confirms, such as `Close 3 positions`. */
  readonly action: (count: number) => string;
  /** Label of a finished row, such as `closed`. */
  readonly done: string;
  readonly blocked: (item: Item) => string;
  readonly gone: string;
  /** Shown when every row is gone, and the confirmation with them. */
  readonly noneLeft: string;
  /** A row's name, such as `ETHUSDT short`. */
  readonly nameOf: (item: Item) => string;
}

interface BatchDialogProps<Item, Done> {
  readonly labels: BatchLabels<Item>;
  readonly rows: readonly PlanRow<Item, Done>[];
  readonly running: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onEnd: () => void;
  readonly fallbackFocus: () => HTMLElement | null | undefined;
  readonly label: (item: Item) => ReactNode;
  /** The estimated result of the action on a row. */
  readonly estimate: (item: Item) => ReactNode;
  readonly result: (done: Done) => ReactNode;
  /** The totals, shown while there is something left to send; null for none. */
  readonly children: ReactNode;
}

export function BatchDialog<Item extends { readonly id: string }, Done>({
  labels,
  rows,
  running,
  onRun,
  onStop,
  onEnd,
  fallbackFocus,
  label,
  estimate,
  result,
  children,
}: BatchDialogProps<Item, Done>) {
  const keepButton = useRef<HTMLButtonElement>(null);
  const left = getSendable(rows);
  const count = (kind: PlanRow<Item, Done>['kind']) => rows.filter((row) => row.kind === kind).length;
  const [done, failed] = [count('done'), count('failed')];
  const isVoid = !running && count('gone') === rows.length;
  const leave = useEffectEvent(() => {
    showToast('info', labels.noneLeft);
    onEnd();
  });
  useEffect(() => {
    if (isVoid) leave();
  }, [isVoid]);
  const hasBegun = running || done + failed > 0;
  const figure = (row: PlanRow<Item, Done>) => {
    switch (row.kind) {
      case 'ready':
      case 'failed':
        return estimate(row.item);
      case 'done':
        return result(row.done);
      case 'pending':
        return <Spinner size={16} />;
      case 'blocked':
        return <span className="text-warn">{labels.blocked(row.item)}</span>;
      case 'gone':
        return <span className="text-text-3">{labels.gone}</span>;
    }
  };
  const run = failed > 0 ? `Retry ${left.length}` : labels.action(left.length);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || running || onEnd()}
      initialFocus={keepButton}
      fallbackFocus={fallbackFocus}
      title={labels.title}
      actions={
        <>
          <Button ref={keepButton} onClick={running ? onStop : onEnd}>
            {running ? 'Stop' : hasBegun ? 'Done' : labels.keep}
          </Button>
          {left.length > 0 || running ? (
            <Button tone="primary" onClick={onRun} pending={running}>
              {running ? `${done} of ${rows.length}` : run}
            </Button>
          ) : null}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard */}
      <ul tabIndex={0} aria-label={labels.title} className="-mx-1 max-h-[38dvh] overflow-y-auto px-1 text-13">
        {rows.map((row) => (
          <li key={row.item.id} className="border-b border-line/65 py-1.5 last:border-b-0">
            <div className="flex min-h-5 items-center justify-between gap-4">
              {label(row.item)}
              <span className="shrink-0 text-right">{figure(row)}</span>
            </div>
            {row.kind === 'failed' ? <p className="mt-0.5 text-12 text-down">{row.reason}</p> : null}
          </li>
        ))}
      </ul>
      {left.length > 0 && children !== null ? (
        <div className="mt-3 border-t border-line pt-3">{children}</div>
      ) : null}
      <p role="status" className="mt-3 text-12 text-text-2 empty:hidden">
        {hasBegun && failed === 0 ? `${done} of ${rows.length} ${labels.done}` : null}
      </p>
      <FormError>{!running && failed > 0 ? formatOutcome(rows, labels.done, labels.nameOf) : null}</FormError>
    </Dialog>
  );
}
