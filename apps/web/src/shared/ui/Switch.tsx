/** An option that is on or off, with its label at the left. A change applies at once. */
import type { ReactNode } from 'react';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  /** A note between label and switch. */
  readonly note?: ReactNode;
}

export function Switch({ label, checked, onChange, note }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={checked}
      aria-label={label}
      onClick={() => onChange(!checked)}
      className="group flex min-h-6 w-full items-center gap-2 rounded-control text-left max-lg:min-h-11"
    >
      <span className="text-12 font-medium">{label}</span>
      <span className="ml-auto text-12 text-text-3">{note}</span>
      <span className="relative h-[18px] w-8 shrink-0 rounded-full bg-line-control transition-colors group-aria-checked:bg-accent">
        <span className="absolute top-0.5 left-0.5 size-3.5 rounded-full bg-surface transition-[left] group-aria-checked:left-4" />
      </span>
    </button>
  );
}
