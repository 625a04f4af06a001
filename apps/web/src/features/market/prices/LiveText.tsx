/** A text of the present, such as a clock or an age, written once a second without a React render and without a flash. */
import { useLayoutEffect, useRef } from 'react';

interface LiveTextProps {
  /** Has to be stable (a module function or memoised). */
  readonly read: () => string;
  readonly everyMs?: number;
  readonly className?: string;
}

export function LiveText({ read, everyMs = 1_000, className = '' }: LiveTextProps) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const write = () => {
      const text = read();
      if (element.current && element.current.textContent !== text) element.current.textContent = text;
    };
    write();
    const timer = setInterval(write, everyMs);
    return () => clearInterval(timer);
  }, [read, everyMs]);
  return <span ref={element} className={`figures whitespace-nowrap ${className}`} />;
}
