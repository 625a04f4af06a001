/** Every dialog that a row or a button of the panel opens; at most one is open. */
import { Suspense } from 'react';
import { dialogFallback } from '../../../shared/ui/dialog-fallback.tsx';
import { LiquidationDialog } from '../../journal/index.ts';
import { CancelAllDialog } from '../orders/CancelAllDialog.tsx';
import { CancelDialog } from '../orders/CancelDialog.tsx';
import type { Canceling } from '../orders/canceling.ts';
import type { CancelingAll } from '../orders/canceling-all.ts';
import { CloseAllDialog } from './CloseAllDialog.tsx';
import { CloseDialog } from './CloseDialog.tsx';
import type { Closing } from './closing.ts';
import type { ClosingAll } from './closing-all.ts';
import type { Explaining } from './explaining.ts';
import { ProtectionDialog } from './ProtectionDialog.tsx';
import type { Protecting } from './protecting.ts';
import { ReopenDialog } from './ReopenDialog.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';
import type { Reversing } from './reversing.ts';
import type { StepsOf } from './steps.ts';

interface PanelDialogsProps {
  readonly closing: Closing;
  readonly closingAll: ClosingAll;
  readonly reversing: Reversing;
  readonly protecting: Protecting;
  readonly canceling: Canceling;
  readonly cancelingAll: CancelingAll;
  readonly explaining: Explaining;
  /** The pair that the panel is limited to. */
  readonly only: string | null;
  readonly stepsOf: StepsOf;
  /** Receives the focus when the element that opened the dialog is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

export function PanelDialogs(props: PanelDialogsProps) {
  const { closing, closingAll, reversing, protecting, canceling, cancelingAll, explaining, ...common } =
    props;
  const { only, stepsOf, fallbackFocus } = common;
  return (
    <>
      {closing.position && closing.later ? (
        <ReopenDialog
          key={closing.position.id}
          position={closing.position}
          later={closing.later}
          steps={stepsOf(closing.position.symbol)}
          onEnd={closing.cancel}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {closing.position && !closing.later ? (
        <CloseDialog
          key={closing.position.id}
          position={closing.position}
          steps={stepsOf(closing.position.symbol)}
          closing={closing}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {closingAll.rows ? (
        <CloseAllDialog
          closingAll={closingAll}
          rows={closingAll.rows}
          only={only}
          stepsOf={stepsOf}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {reversing.position ? (
        <ReverseDialog
          key={reversing.position.id}
          position={reversing.position}
          steps={stepsOf(reversing.position.symbol)}
          reversing={reversing}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {protecting.position ? (
        <ProtectionDialog
          key={protecting.position.id}
          position={protecting.position}
          steps={stepsOf(protecting.position.symbol)}
          protecting={protecting}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {canceling.order ? (
        <CancelDialog
          key={canceling.order.id}
          order={canceling.order}
          steps={stepsOf(canceling.order.symbol)}
          canceling={canceling}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {cancelingAll.rows ? (
        <CancelAllDialog
          cancelingAll={cancelingAll}
          rows={cancelingAll.rows}
          only={only}
          stepsOf={stepsOf}
          fallbackFocus={fallbackFocus}
        />
      ) : null}
      {explaining.explainedId === null ? null : (
        <Suspense fallback={dialogFallback}>
          <LiquidationDialog
            key={explaining.explainedId}
            positionId={explaining.explainedId}
            stepsOf={stepsOf}
            onEnd={explaining.end}
            fallbackFocus={fallbackFocus}
          />
        </Suspense>
      )}
    </>
  );
}
