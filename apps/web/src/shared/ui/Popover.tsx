/**
 * A small panel beside its trigger: an explanation or a few settings. It closes on Escape and on a click elsewhere, and returns
 * the focus. Unlike a dialog it leaves the page active: prices keep moving behind it.
 */
import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export const popoverStyles =
  'rise z-50 max-h-(--radix-popover-content-available-height) max-w-80 overflow-y-auto rounded-panel border border-line-strong bg-raised p-4 text-13 shadow-raised outline-none';

interface PopoverProps {
  /** The trigger: one button that opens and closes the panel. */
  readonly trigger: ReactElement;
  /** The panel's name for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly align?: 'start' | 'center' | 'end';
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
}

export function Popover({
  trigger,
  label,
  children,
  side = 'bottom',
  align = 'start',
  open,
  onOpenChange,
}: PopoverProps) {
  const control = { ...(open !== undefined && { open }), ...(onOpenChange && { onOpenChange }) };
  return (
    <Radix.Root {...control}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className={popoverStyles}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
