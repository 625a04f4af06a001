/**
 * A popover that a mouse may also just rest on: an explanation for whoever scans figures. A press or a key opens it as any other
 * and it stays; what the mouse opened goes with the mouse, and neither takes the focus nor gives it back. The mouse may move
 * into the panel.
 */
import { Popover as Radix } from 'radix-ui';
import { type PointerEvent, type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { popoverLook } from './Popover.tsx';

const restMs = 350;
const leaveMs = 200;

interface HintPopoverProps {
  /** One button. */
  readonly trigger: ReactElement;
  /** Heard as the panel's name. */
  readonly label: string;
  readonly children: ReactNode;
}

export function HintPopover({ trigger, label, children }: HintPopoverProps) {
  const [shown, setShown] = useState<'no' | 'by mouse' | 'yes'>('no');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // What it was when it closes is asked for after the render in which it closed.
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
  const keepsFocus = (event: Event) => isByMouse.current && event.preventDefault();

  return (
    <Radix.Root open={shown !== 'no'} onOpenChange={(open) => show(open ? 'yes' : 'no')}>
      <Radix.Trigger
        asChild
        onPointerEnter={onEnter}
        onPointerLeave={onLeave}
        onClick={(event) => {
          clearTimeout(timer.current);
          if (shown !== 'by mouse') return;
          // It is open already: the press lets it stay.
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
          onOpenAutoFocus={keepsFocus}
          onCloseAutoFocus={keepsFocus}
          className={popoverLook}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
