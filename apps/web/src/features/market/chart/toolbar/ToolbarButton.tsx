/** A button of the chart's toolbar: an icon, with a label where it fits. */
import type { ComponentProps, ReactNode } from 'react';

interface ToolbarButtonProps extends Omit<ComponentProps<'button'>, 'className'> {
  readonly label: string;
  readonly icon: ReactNode;
  /** The label beside the icon; left out on a narrow chart. */
  readonly text?: string | undefined;
  readonly count?: number | undefined;
}

export function ToolbarButton({ label, icon, text, count, ...rest }: ToolbarButtonProps) {
  return (
    <button
      {...rest}
      type="button"
      aria-label={label}
      title={label}
      className="inline-flex h-7 min-w-7 shrink-0 items-center justify-center gap-1.5 rounded-control px-1.5 text-13 font-medium whitespace-nowrap text-text-2 transition-colors -outline-offset-2 hover:bg-raised hover:text-text data-[state=open]:bg-raised data-[state=open]:text-text max-md:h-11 max-md:min-w-11"
    >
      {icon}
      {text} {count === undefined ? null : <span className="text-text-3">{count}</span>}
    </button>
  );
}
