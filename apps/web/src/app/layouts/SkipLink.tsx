/** The first Tab stop: skips the navigation. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-control bg-accent px-3 py-2 text-13 font-medium text-on-fill focus:not-sr-only focus:fixed focus:top-[calc(var(--impersonation-height)+6px)] focus:left-3"
    >
      Skip to content
    </a>
  );
}
