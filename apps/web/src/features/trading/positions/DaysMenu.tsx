/** Chooses the days of a history: a usual range, or a first and a last day. */
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useState } from 'react';
import { DayField } from '../../../shared/time/DayField.tsx';
import { type Days, isAllDays } from '../../../shared/time/day-range.ts';
import { Button, Popover } from '../../../shared/ui/index.ts';
import { daysPresets, formatDays } from './history-filter.ts';

export interface DayRange {
  readonly days: Days;
  readonly onChange: (days: Days) => void;
}

export function DaysMenu({ days, onChange }: DayRange) {
  const [isOpen, setOpen] = useState(false);
  const now = new Date();
  const label = formatDays(days, now);
  const choose = (chosen: Days) => {
    setOpen(false);
    onChange(chosen);
  };
  return (
    <Popover
      label="Days"
      align="end"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          size="compact"
          aria-label={`Days: ${label}`}
          className={isAllDays(days) ? '' : '!text-accent'}
        >
          {label}
          <ChevronDown size={14} aria-hidden="true" />
        </Button>
      }
    >
      <fieldset aria-label="Range" className="grid grid-cols-4 gap-1">
        {daysPresets(now).map((preset) => (
          <button
            key={preset.label}
            type="button"
            aria-pressed={preset.label === label}
            onClick={() => choose(preset.days)}
            className="h-8 rounded-control px-2 text-12 font-medium whitespace-nowrap text-text-2 transition-colors hover:bg-surface hover:text-text aria-pressed:bg-accent-weak aria-pressed:text-accent max-md:h-11"
          >
            {preset.label}
          </button>
        ))}
      </fieldset>
      <div className="mt-3 flex items-center gap-3">
        <DayField
          className="h-8 w-[112px] pointer-coarse:w-[136px]"
          label="From"
          value={days.from}
          onChange={(from) => onChange({ ...days, from })}
        />
        <DayField
          className="h-8 w-[112px] pointer-coarse:w-[136px]"
          label="To"
          value={days.to}
          onChange={(to) => onChange({ ...days, to })}
        />
      </div>
    </Popover>
  );
}
