/**
 * Lets the row of a position that has just opened slide in and glow in its side's colour. Nothing moves under reduced
 * motion. Known limitation: it compares the server's time with the browser's, so nothing glows where they differ by
 * seconds.
 */
import { useEffect, useRef } from 'react';
import type { Position } from '../../../shared/supabase/index.ts';

const justNowMs = 4_000;
const glowMs = 600;

export function NewRowGlow({ position: { createdAt, side } }: { readonly position: Position }) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const row = mark.current?.closest('tr, li');
    const age = Math.abs(Date.now() - Date.parse(createdAt));
    if (!row || age > justNowMs || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const colour = side === 'BUY' ? 'var(--up-weak)' : 'var(--down-weak)';
    row.animate(
      [
        { backgroundColor: colour, transform: 'translateY(-6px)' },
        { backgroundColor: colour, offset: 0.4 },
        {},
      ],
      { duration: glowMs, easing: 'ease-out' },
    );
  }, [createdAt, side]);
  return <span ref={mark} hidden />;
}
