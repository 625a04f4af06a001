/** A spinner. Inside a control it is decoration; alone on a page it has a label. */
interface SpinnerProps {
  readonly size?: number;
  /** The label; without one the spinner is decoration. */
  readonly label?: string;
}

export function Spinner({ size = 20, label }: SpinnerProps) {
  const ring = (
    <svg
      width={size}
      height={size}
      viewBox="0 0 20 20"
      aria-hidden="true"
      className="animate-spin motion-reduce:[animation-duration:4s]"
    >
      <circle cx="10" cy="10" r="8" fill="none" stroke="currentColor" strokeWidth="2.2" opacity="0.22" />
      <path
        d="M18 10a8 8 0 0 0-8-8"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
  if (label === undefined) return ring;
  return (
    <span role="status" className="inline-flex items-center text-accent">
      {ring}
      <span className="sr-only">{label}</span>
    </span>
  );
}

/**
 * The whole page is loading: the session, or a route's code. Elements that would move when it ends select on `data-waiting`.
 */
export function PageSpinner({ label = 'Loading' }: { readonly label?: string }) {
  return (
    <div data-waiting="" className="grid min-h-[60dvh] grow place-items-center">
      <Spinner size={28} label={label} />
    </div>
  );
}
