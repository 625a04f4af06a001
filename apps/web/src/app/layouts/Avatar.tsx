/** Two letters of a username in a circle. */
const initials = (username: string): string => {
  const parts = username.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = parts.length > 1 ? parts.slice(0, 2).map((part) => part.charAt(0)) : [username.slice(0, 2)];
  return letters.join('').toUpperCase();
};

export function Avatar({ username }: { readonly username: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-grid size-7 place-items-center rounded-full bg-accent-weak text-11 font-semibold text-text"
    >
      {initials(username)}
    </span>
  );
}
