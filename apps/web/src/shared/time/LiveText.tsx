/** A text that changes with time, such as a clock or an age. It is written once a second without a React render. */
import { useLayoutEffect, useRef } from 'react';
import { onEverySecond } from './seconds.ts';

interface LiveTextProps {
  /** Must be stable (a module function or memoised). */
  readonly read: () => string;
  readonly className?: string;
}

export function LiveText({ read, className = '' }: LiveTextProps) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const write = () => {
      const text = read();
      if (element.current && element.current.textContent !== text) element.current.textContent = text;
    };
    write();
    return onEverySecond(write);
  }, [read]);
  return <span ref={element} className={`figures whitespace-nowrap ${className}`} />;
}
