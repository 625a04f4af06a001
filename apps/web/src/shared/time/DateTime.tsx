import { formatClock, formatDay } from './dates.ts';

/** Day and time in the viewer's zone; the tooltip shows the exact UTC text. */
export function DateTime({ iso }: { readonly iso: string | null }) {
  const text = formatDay(iso);
  const isKnown = iso !== null && !Number.isNaN(Date.parse(iso));
  if (!isKnown) return <span>{text}</span>;
  return (
    <time dateTime={iso} title={iso} className="figures whitespace-nowrap">
      {text} <span className="text-text-3">{formatClock(iso)}</span>
    </time>
  );
}
