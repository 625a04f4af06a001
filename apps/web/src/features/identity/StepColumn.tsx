/**
 * One step of signing in. Its position depends on the window's height alone instead of being centred, so an error or
 * a late line beneath never moves a field in use.
 */
import { type ReactNode, useEffect, useRef } from 'react';

/** px from the heading to the middle of a step without fields, and what each field adds. */
const restHeight = 150;
const fieldHeight = 40;
/** Height above the step: brand and padding. */
const headHeight = 104;

interface StepColumnProps {
  readonly fields?: number;
  readonly children: ReactNode;
}

export function StepColumn({ fields = 0, children }: StepColumnProps) {
  const above = headHeight + restHeight + fields * fieldHeight;
  return (
    <div
      style={{ marginTop: `max(0px, calc(50dvh - var(--impersonation-height) / 2 - ${above}px))` }}
      className="w-full max-w-[376px] max-md:!mt-0"
    >
      {children}
    </div>
  );
}

/**
 * The heading of a step that replaced another one. It takes the focus, so that screen readers announce the new text.
 */
export function StepHeading({ children }: { readonly children: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <title>{`${children} · Fulcrum`}</title>
      <h1 ref={heading} tabIndex={-1} className="text-28 font-semibold tracking-[-0.02em] outline-none">
        {children}
      </h1>
    </>
  );
}
