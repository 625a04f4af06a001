/** The periods of the studies. Input is validated as it is typed; Apply sets all periods or none. */
import { type FormEvent, useId, useState } from 'react';
import { Button } from '../../../../shared/ui/index.ts';
import { defaultPeriods, type Periods, periodError } from '../settings/chart-settings.ts';
import type { ChartController } from '../tools/useChartController.ts';

const rows = [
  {
    title: 'SMA',
    fields: [
      ['smaShort', 'Short'],
      ['smaLong', 'Long'],
    ],
  },
  { title: 'RSI', fields: [['rsi', 'Period']] },
  {
    title: 'MACD',
    fields: [
      ['macdFast', 'Fast'],
      ['macdSlow', 'Slow'],
      ['macdSignal', 'Signal'],
    ],
  },
] as const satisfies readonly { title: string; fields: readonly (readonly [keyof Periods, string])[] }[];
const names = rows.flatMap(({ fields }) => fields.map(([name]) => name));

type Texts = Readonly<Record<keyof Periods, string>>;
const eachName = <Value,>(of: (name: keyof Periods) => Value): Record<keyof Periods, Value> => ({
  smaShort: of('smaShort'),
  smaLong: of('smaLong'),
  rsi: of('rsi'),
  macdFast: of('macdFast'),
  macdSlow: of('macdSlow'),
  macdSignal: of('macdSignal'),
});
const toTexts = (periods: Periods): Texts => eachName((name) => `${periods[name]}`);
const parsePeriods = (texts: Texts): Periods =>
  eachName((name) => (/^\d+$/.test(texts[name].trim()) ? Number(texts[name]) : Number.NaN));

interface PeriodsFormProps {
  readonly controller: ChartController;
  readonly onDone: () => void;
}

export function PeriodsForm({ controller, onDone }: PeriodsFormProps) {
  const id = useId();
  const [texts, setTexts] = useState(() => toTexts(controller.settings.periods));
  const periods = parsePeriods(texts);
  const wrong = names.find((name) => periodError(name, periods) !== null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // In React the form is a child of the trading screen's form, which must not receive this submit.
    event.stopPropagation();
    if (wrong !== undefined) return document.getElementById(`${id}-${wrong}`)?.focus();
    controller.change({ periods });
    onDone();
  };
  return (
    <form noValidate onSubmit={submit} className="flex w-64 flex-col gap-3">
      {rows.map(({ title, fields }) => (
        <fieldset key={title}>
          <legend className="mb-1 text-12 font-medium">{title}</legend>
          <div className="grid grid-cols-3 gap-2">
            {fields.map(([name, label]) => {
              const error = periodError(name, periods);
              const errorId = `${id}-${name}-error`;
              return (
                <div key={name} className="flex min-w-0 flex-col gap-1">
                  <label htmlFor={`${id}-${name}`} className="text-11 text-text-3">
                    <span className="sr-only">{`${title} `}</span>
                    {label}
                  </label>
                  <input
                    id={`${id}-${name}`}
                    inputMode="numeric"
                    autoComplete="off"
                    value={texts[name]}
                    onChange={({ target }) => setTexts({ ...texts, [name]: target.value })}
                    aria-invalid={error === null ? undefined : true}
                    aria-describedby={error === null ? undefined : errorId}
                    className="control h-8 w-full px-2 text-13 max-md:h-11 max-md:text-16 pointer-coarse:text-16"
                  />
                  {error === null ? null : (
                    <p id={errorId} className="text-11 text-down">
                      {error}
                    </p>
                  )}
                </div>
              );
            })}
          </div>
        </fieldset>
      ))}
      <div className="flex justify-between">
        <Button size="compact" tone="quiet" onClick={() => setTexts(toTexts(defaultPeriods))}>
          Defaults
        </Button>
        <Button size="compact" tone="primary" type="submit" muted={wrong !== undefined}>
          Apply
        </Button>
      </div>
    </form>
  );
}
