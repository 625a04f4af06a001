/**
 * A popover that also opens while the mouse rests on its trigger. A click or a key opens it until it is closed; opened by
 * hovering, it closes when the mouse leaves and never moves the focus. The mouse may move into the panel.
 */
import { Popover as Radix } from 'radix-ui';
import { type PointerEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { popoverStyles } from './Popover.tsx';

const restMs = 350;
const leaveMs = 200;

interface HintPopoverProps {
  /** The trigger: one button. */
  readonly trigger: ReactElement;
  /** The panel's name for screen readers. */
  readonly label: string;
  readonly children: ReactNode;
}

export function HintPopover({ trigger, label, children }: HintPopoverProps) {
  const [shown, setShown] = useState<'no' | 'by mouse' | 'yes'>('no');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // A ref: the value is needed after the render that closed the panel.
  const isByMouse = useRef<boolean>(false);
  useEffect(() => () => clearTimeout(timer.current), []);

  const show = (next: typeof shown) => {
    clearTimeout(timer.current);
    if (next !== 'no') isByMouse.current = next === 'by mouse';
    setShown(next);
  };
  const onEnter = ({ pointerType }: PointerEvent) => {
    clearTimeout(timer.current);
    if (pointerType === 'mouse' && shown === 'no') timer.current = setTimeout(() => show('by mouse'), restMs);
  };
  const onLeave = () => {
    clearTimeout(timer.current);
    if (shown === 'by mouse') timer.current = setTimeout(() => show('no'), leaveMs);
  };
  const retainFocus = (event: Event) => isByMouse.current && event.preventDefault();

  return (
    <Radix.Root open={shown !== 'no'} onOpenChange={(open) => show(open ? 'yes' : 'no')}>
      <Radix.Trigger
        asChild
        onPointerEnter={onEnter}
        onPointerLeave={onLeave}
        onClick={(event) => {
          clearTimeout(timer.current);
          if (shown !== 'by mouse') return;
          // The panel is already open: the press keeps it open.
          event.preventDefault();
          show('yes');
        }}
      >
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side="bottom"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onPointerEnter={() => clearTimeout(timer.current)}
          onPointerLeave={onLeave}
          onOpenAutoFocus={retainFocus}
          onCloseAutoFocus={retainFocus}
          className={popoverStyles}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
