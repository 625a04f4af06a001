/**
 * Asks before many rows are acted on: each with its figure, what it comes to, then the progress, then what became of each.
 * It stays until everything is done or somebody leaves it; what failed can be asked for again alone.
 */
import { type ReactNode, useRef } from 'react';
import { Button, Dialog, FormError, Spinner } from '../../shared/ui/index.ts';
import { outcomeText, type PlanRow, sendable } from './batch-plan.ts';

interface BatchWords<Item> {
  readonly title: string;
  /** `Keep them open`. */
  readonly keep: string;
  /** `Close 3 positions`. */
  readonly act: (count: number) => string;
  /** What a row is once it is done: `closed`. */
  readonly done: string;
  readonly blocked: string;
  readonly gone: string;
  /** `ETHUSDT short`. */
  readonly nameOf: (item: Item) => string;
}

interface BatchDialogProps<Item, Done> {
  readonly words: BatchWords<Item>;
  readonly rows: readonly PlanRow<Item, Done>[];
  readonly running: boolean;
  readonly onRun: () => void;
  readonly onStop: () => void;
  readonly onEnd: () => void;
  readonly fallbackFocus: () => HTMLElement | null | undefined;
  readonly label: (item: Item) => ReactNode;
  /** What acting on the row would come to. */
  readonly estimate: (item: Item) => ReactNode;
  readonly result: (done: Done) => ReactNode;
  /** The sum of it all, while there is something left to send. */
  readonly children: ReactNode;
}

export function BatchDialog<Item extends { readonly id: string }, Done>({
  words,
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
  const left = sendable(rows);
  const count = (kind: PlanRow<Item, Done>['kind']) => rows.filter((row) => row.kind === kind).length;
  const [done, failed] = [count('done'), count('failed')];
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
        return <span className="text-warn">{words.blocked}</span>;
      case 'gone':
        return <span className="text-text-3">{words.gone}</span>;
    }
  };
  const act = failed > 0 ? `Retry ${left.length}` : words.act(left.length);
  return (
    <Dialog
      open
      onOpenChange={(open) => open || running || onEnd()}
      initialFocus={keepButton}
      fallbackFocus={fallbackFocus}
      title={words.title}
      actions={
        <>
          <Button ref={keepButton} onClick={running ? onStop : onEnd}>
            {running ? 'Stop' : hasBegun ? 'Done' : words.keep}
          </Button>
          {left.length > 0 || running ? (
            <Button tone="primary" onClick={onRun} pending={running}>
              {running ? `${done} of ${rows.length}` : act}
            </Button>
          ) : null}
        </>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled by keyboard */}
      <ul tabIndex={0} aria-label={words.title} className="-mx-1 max-h-[38dvh] overflow-y-auto px-1 text-13">
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
      {left.length > 0 ? <div className="mt-3 border-t border-line pt-3">{children}</div> : null}
      <p role="status" className="mt-3 text-12 text-text-2 empty:hidden">
        {hasBegun && failed === 0 ? `${done} of ${rows.length} ${words.done}` : null}
      </p>
      <FormError>{!running && failed > 0 ? outcomeText(rows, words.done, words.nameOf) : null}</FormError>
    </Dialog>
  );
}
