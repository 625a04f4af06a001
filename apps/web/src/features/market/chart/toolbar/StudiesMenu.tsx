/** TRADE-19: which studies are drawn, and over which periods. */
import ChartSpline from 'lucide-react/icons/chart-spline';
import { useState } from 'react';
import { Popover, Switch } from '../../../../shared/ui/index.ts';
import { type Periods, type Study, studies, studyNames } from '../settings/chart-settings.ts';
import type { ChartDesk } from '../tools/useChartDesk.ts';
import { PeriodsForm } from './PeriodsForm.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';

const notes: Readonly<Record<Study, (periods: Periods) => string>> = {
  sma: ({ smaShort, smaLong }) => `${smaShort}, ${smaLong}`,
  rsi: ({ rsi }) => `${rsi}`,
  macd: ({ macdFast, macdSlow, macdSignal }) => `${macdFast}, ${macdSlow}, ${macdSignal}`,
  volume: () => '',
};

interface StudiesMenuProps {
  readonly desk: ChartDesk;
  readonly isNarrow: boolean;
}

export function StudiesMenu({ desk, isNarrow }: StudiesMenuProps) {
  const [open, setOpen] = useState(false);
  const { shown, periods } = desk.settings;
  const count = studies.filter((study) => shown[study]).length;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label="Indicators"
      trigger={
        <ToolbarButton
          label={`Indicators ${count} shown`}
          icon={<ChartSpline size={16} aria-hidden="true" />}
          text={isNarrow ? undefined : 'Indicators'}
          count={count}
        />
      }
    >
      <div className="flex flex-col gap-1">
        {studies.map((study) => (
          <Switch
            key={study}
            label={studyNames[study]}
            note={notes[study](periods)}
            checked={shown[study]}
            onChange={(checked) => desk.change({ shown: { ...shown, [study]: checked } })}
          />
        ))}
      </div>
      <div className="-mx-4 my-3 h-px bg-line" />
      <PeriodsForm desk={desk} onDone={() => setOpen(false)} />
    </Popover>
  );
}
