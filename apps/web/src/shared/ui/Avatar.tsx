/** Two letters of a username in a circle. */
const initials = (username: string): string => {
  const parts = username.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters = parts.length > 1 ? parts.slice(0, 2).map((part) => part.charAt(0)) : [username.slice(0, 2)];
  return letters.join('').toUpperCase();
};

const sizes = {
  small: 'size-5 text-[9px]',
  regular: 'size-7 text-11',
  large: 'size-9 text-12',
} as const;

interface AvatarProps {
  readonly username: string;
  readonly size?: keyof typeof sizes;
}

export function Avatar({ username, size = 'regular' }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={`inline-grid shrink-0 place-items-center rounded-full bg-accent-weak font-semibold text-text ${sizes[size]}`}
    >
      {initials(username)}
    </span>
  );
}
