/** The logo, a lever on a triangle tilted up to the right, and the name. */
export function Mark({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M12 11.4 17.6 21H6.4z" fill="var(--accent)" />
      <path d="M2.2 12.4 21.8 5.6" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round" />
    </svg>
  );
}

export function Brand({ size = 22 }: { readonly size?: number }) {
  return (
    <span className="flex items-center gap-2.5 text-16 font-semibold text-text">
      <Mark size={size} />
      Fulcrum
    </span>
  );
}
