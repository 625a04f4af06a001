/** What the panel passes to its dialogs. */
import type { Position } from '../../../shared/supabase/index.ts';
import type { Steps, StepsOf } from './steps.ts';

interface DialogFocus {
  /** Receives the focus when the element that opened the dialog is gone. */
  readonly fallbackFocus: () => HTMLElement | null | undefined;
}

/** To a dialog about every row that the panel shows. */
export interface PanelDialogProps extends DialogFocus {
  /** The pair that the panel is limited to. */
  readonly only: string | null;
  readonly stepsOf: StepsOf;
}

/** To a dialog about one position. */
export interface PositionDialogProps extends DialogFocus {
  readonly position: Position;
  readonly steps: Steps;
}
