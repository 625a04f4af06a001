/** The heading of a step that replaced the one before: it takes the focus, so that the new text is read out. */
import { useEffect, useRef } from 'react';

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
