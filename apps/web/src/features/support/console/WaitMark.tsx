/** The wait for an answer: a ring that fills up to the target, and `m:ss`, written once a second without a render. */
import { useLayoutEffect, useRef } from 'react';
import { onEverySecond } from '../../../shared/time/seconds.ts';
import { getWait } from './waiting.ts';

const radius = 5.5;
const round = 2 * Math.PI * radius;
const tone =
  'text-text-2 data-[level=late]:text-down data-[level=long]:text-warn group-aria-[current=true]:data-[level=calm]:text-text';

export function WaitMark({
  since,
  ring = 'shown',
}: {
  readonly since: string;
  readonly ring?: 'shown' | 'none';
}) {
  const root = useRef<HTMLSpanElement>(null);
  const arc = useRef<SVGCircleElement>(null);
  const figure = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const write = () => {
      const { text, share, level, label } = getWait(since, Date.now());
      const whole = root.current;
      if (!whole || !figure.current) return;
      if (whole.dataset.level !== level) {
        whole.dataset.level = level;
        whole.title = `${label}. The target is 5 minutes.`;
      }
      figure.current.textContent = text;
      arc.current?.setAttribute('stroke-dashoffset', `${round * (1 - share)}`);
    };
    write();
    return onEverySecond(write);
  }, [since]);
  return (
    <span ref={root} className={`inline-flex items-center gap-1.5 ${tone}`}>
      {ring === 'none' ? null : (
        <svg viewBox="0 0 14 14" className="size-3.5 -rotate-90" aria-hidden="true">
          <circle
            cx="7"
            cy="7"
            r={radius}
            fill="none"
            stroke="currentColor"
            strokeOpacity=".25"
            strokeWidth="2.5"
          />
          <circle
            ref={arc}
            cx="7"
            cy="7"
            r={radius}
            fill="none"
            stroke="currentColor"
            strokeWidth="2.5"
            strokeDasharray={round}
          />
        </svg>
      )}
      <span className="sr-only">Unanswered for </span>
      <span ref={figure} className="figures text-12 font-medium whitespace-nowrap" />
    </span>
  );
}
