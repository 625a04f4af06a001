/** Every dialog that a row or a button of the panel opens; at most one is open. */
import { Suspense } from 'react';
import type { Position } from '../../../shared/supabase/index.ts';
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
import type { PanelDialogProps, PositionDialogProps } from './panel-dialog.ts';
import type { Protecting } from './protecting.ts';
import { ReopenDialog } from './ReopenDialog.tsx';
import { ReverseDialog } from './ReverseDialog.tsx';
import type { Reversing } from './reversing.ts';

interface PanelDialogsProps extends PanelDialogProps {
  readonly closing: Closing;
  readonly closingAll: ClosingAll;
  readonly reversing: Reversing;
  readonly protecting: Protecting;
  readonly canceling: Canceling;
  readonly cancelingAll: CancelingAll;
  readonly explaining: Explaining;
}

export function PanelDialogs(props: PanelDialogsProps) {
  const { closing, closingAll, reversing, protecting, canceling, cancelingAll, explaining, ...common } =
    props;
  const { stepsOf, fallbackFocus } = common;
  const forPosition = (position: Position): PositionDialogProps => ({
    position,
    steps: stepsOf(position.symbol),
    fallbackFocus,
  });
  return (
    <>
      {closing.position && closing.later ? (
        <ReopenDialog
          key={closing.position.id}
          {...forPosition(closing.position)}
          later={closing.later}
          onEnd={closing.cancel}
        />
      ) : null}
      {closing.position && !closing.later ? (
        <CloseDialog key={closing.position.id} {...forPosition(closing.position)} closing={closing} />
      ) : null}
      {closingAll.rows ? <CloseAllDialog {...common} closingAll={closingAll} rows={closingAll.rows} /> : null}
      {reversing.position ? (
        <ReverseDialog
          key={reversing.position.id}
          {...forPosition(reversing.position)}
          reversing={reversing}
        />
      ) : null}
      {protecting.position ? (
        <ProtectionDialog
          key={protecting.position.id}
          {...forPosition(protecting.position)}
          protecting={protecting}
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
        <CancelAllDialog {...common} cancelingAll={cancelingAll} rows={cancelingAll.rows} />
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
