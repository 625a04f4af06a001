/** A date field for one end of a range of days; null means no bound. */
import { useId } from 'react';

interface DayFieldProps {
  readonly label: string;
  /** `2026-11-06`. */
  readonly value: string | null;
  readonly onChange: (day: string | null) => void;
  /** Classes for height and width of the input on screens larger than a phone. */
  readonly className: string;
}

export function DayField({ label, value, onChange, className }: DayFieldProps) {
  const id = useId();
  return (
    <span className="flex items-center gap-1.5 max-md:min-w-0 max-md:flex-1 max-md:flex-col max-md:items-start max-md:gap-1">
      <label htmlFor={id} className="text-12 text-text-2">
        {label}
      </label>
      <input
        id={id}
        type="date"
        max="9999-12-31"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value || null)}
        className={`control figures min-w-0 px-2 text-12 max-md:h-11 max-md:w-full max-md:text-16 pointer-coarse:text-16 ${className}`}
      />
    </span>
  );
}
