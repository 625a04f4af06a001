/**
 * Chooses a timeframe by typing: the first digit opens a small box, Enter applies what it holds. A digit is no shortcut
 * while a field has the focus or a dialog is open; the full-screen chart is one, and has its buttons.
 */
import { timeframes } from '@fulcrum/domain';
import { type FormEvent, useId, useRef, useState } from 'react';
import { type Action, useActions } from '../../../../shared/actions/index.ts';
import { Dialog } from '../../../../shared/ui/index.ts';
import { parseTimeframe, timeframeNames } from '../../timeframes.ts';
import type { ChartController } from '../tools/useChartController.ts';

const hint = 'Type minutes, or a figure with h, d, w or M, such as 15 or 4h.';
/** The sheet of shortcuts lists the last one of an id. */
const digits = ['9', '8', '7', '6', '5', '4', '3', '2', '1'] as const;

export function TypedTimeframe({ controller }: { readonly controller: ChartController }) {
  const [text, setText] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useActions(
    digits.map(
      (digit): Action => ({
        id: 'chart-timeframe',
        label: 'Type a timeframe, such as 15 or 4h',
        group: 'Chart',
        keys: [digit],
        // A quick second digit may arrive before the field has the focus.
        perform: () => setText((typed) => `${typed ?? ''}${digit}`),
      }),
    ),
  );
  const chosen = text === null ? null : parseTimeframe(text);
  const answer = () => {
    if (text === null || text.trim() === '') return hint;
    if (chosen !== null) return `Enter shows candles of ${timeframeNames[chosen]}.`;
    return `The chart has no such timeframe. Choose ${timeframes.slice(0, -1).join(', ')} or ${timeframes.at(-1)}.`;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React the form is a child of the trading screen's form, which must not receive this submit.
    event.stopPropagation();
    if (chosen === null) return field.current?.focus();
    controller.change({ timeframe: chosen });
    setText(null);
  };
  return (
    <Dialog
      open={text !== null}
      onOpenChange={(open) => {
        if (!open) setText(null);
      }}
      title="Timeframe"
      initialFocus={field}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <input
          ref={field}
          aria-label="Timeframe"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={text ?? ''}
          onChange={({ target }) => setText(target.value)}
          aria-invalid={text !== null && text.trim() !== '' && chosen === null ? true : undefined}
          aria-describedby={id}
          className="control h-10 w-full px-3 text-16"
        />
        <p id={id} role="status" className="text-12 text-text-2">
          {answer()}
        </p>
      </form>
    </Dialog>
  );
}
