/** The menu that switches studies on and sets their periods (TRADE-19). */
import ChartSpline from 'lucide-react/icons/chart-spline';
import { useState } from 'react';
import { Popover, Switch } from '../../../../shared/ui/index.ts';
import { type Periods, type Study, studies, studyNames } from '../settings/chart-settings.ts';
import type { ChartController } from '../tools/useChartController.ts';
import { PeriodsForm } from './PeriodsForm.tsx';
import { ToolbarButton } from './ToolbarButton.tsx';

const notes: Readonly<Record<Study, (periods: Periods) => string>> = {
  sma: ({ smaShort, smaLong }) => `${smaShort}, ${smaLong}`,
  rsi: ({ rsi }) => `${rsi}`,
  macd: ({ macdFast, macdSlow, macdSignal }) => `${macdFast}, ${macdSlow}, ${macdSignal}`,
  volume: () => '',
};

interface StudiesMenuProps {
  readonly controller: ChartController;
  readonly isNarrow: boolean;
}

export function StudiesMenu({ controller, isNarrow }: StudiesMenuProps) {
  const [open, setOpen] = useState(false);
  const { shown, periods } = controller.settings;
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
            onChange={(checked) => controller.change({ shown: { ...shown, [study]: checked } })}
          />
        ))}
      </div>
      <div className="-mx-4 my-3 h-px bg-line" />
      <PeriodsForm controller={controller} onDone={() => setOpen(false)} />
    </Popover>
  );
}
