/**
 * Buttons, and links that look like them. A button that is unavailable stays focusable (`aria-disabled`), so that the user can
 * find and read the reason below it; it ignores clicks.
 */
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { Spinner } from './Spinner.tsx';

export type ButtonTone = 'primary' | 'secondary' | 'quiet' | 'up' | 'down';
export type ButtonSize = 'compact' | 'regular' | 'large';

const tones: Record<ButtonTone, string> = {
  primary: 'bg-accent text-on-fill hover:brightness-110 active:brightness-95',
  secondary: 'border border-line-strong text-text hover:border-text-3 hover:bg-raised active:bg-line',
  quiet: 'text-text-2 hover:bg-raised hover:text-text active:bg-line',
  up: 'bg-up text-on-fill hover:brightness-110 active:brightness-95',
  down: 'bg-down text-on-fill hover:brightness-110 active:brightness-95',
};
/** The button's own colour at 16 %, its text at 62 % toward the secondary text. */
const mutedTones: Record<ButtonTone, string> = {
  primary: 'bg-accent/16 text-[color-mix(in_srgb,var(--accent)_38%,var(--text-2))]',
  secondary: 'border border-line text-text-3',
  quiet: 'text-text-3',
  up: 'bg-up/16 text-[color-mix(in_srgb,var(--up)_38%,var(--text-2))]',
  down: 'bg-down/16 text-[color-mix(in_srgb,var(--down)_38%,var(--text-2))]',
};
const sizes: Record<ButtonSize, string> = {
  compact:
    'h-7 px-2.5 text-12 font-medium max-md:relative max-md:h-9 max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-1',
  regular: 'h-9 px-3.5 text-13 font-medium max-md:h-11',
  large: 'h-11 px-5 text-14 font-semibold',
};
const shape =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-control select-none whitespace-nowrap transition-[background-color,border-color,color,filter]';

interface ButtonStyle {
  readonly tone?: ButtonTone;
  readonly size?: ButtonSize;
  readonly className?: string;
}

export const buttonStyles = (
  { tone = 'secondary', size = 'regular', className = '' }: ButtonStyle,
  muted = false,
): string => `${shape} ${sizes[size]} ${muted ? mutedTones[tone] : tones[tone]} ${className}`;

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'className'>, ButtonStyle {
  /** Unavailable; state the reason in a text that `aria-describedby` names. */
  readonly muted?: boolean;
  /** The action is running: the button shows it and ignores further clicks. */
  readonly pending?: boolean;
  /** A press while it is unavailable, which may lead to what is missing. */
  readonly onMutedClick?: () => void;
  readonly children: ReactNode;
}

export function Button({
  tone,
  size,
  className,
  muted = false,
  pending = false,
  onClick,
  onMutedClick,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  const blocked = muted || pending;
  const onButtonClick = (event: MouseEvent<HTMLButtonElement>) => {
    if (!blocked) return onClick?.(event);
    event.preventDefault();
    if (muted && !pending) onMutedClick?.();
  };
  const style = { ...(tone && { tone }), ...(size && { size }), ...(className && { className }) };
  return (
    <button
      {...rest}
      type={type}
      onClick={onButtonClick}
      aria-disabled={blocked || undefined}
      aria-busy={pending || undefined}
      className={buttonStyles(style, muted)}
    >
      {pending ? <Spinner size={16} /> : null}
      {children}
    </button>
  );
}

export function ButtonLink({
  tone,
  size,
  className,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'className'> & ButtonStyle) {
  const style = { ...(tone && { tone }), ...(size && { size }), ...(className && { className }) };
  return <Link {...rest} className={buttonStyles(style)} />;
}

/** A square icon button; `label` is its accessible name. */
export function IconButton({
  label,
  className = '',
  children,
  type = 'button',
  ...rest
}: ComponentProps<'button'> & { readonly label: string }) {
  return (
    <button
      {...rest}
      type={type}
      aria-label={label}
      title={label}
      className={`inline-flex size-8 shrink-0 items-center justify-center rounded-control text-text-2 transition-colors hover:bg-raised hover:text-text max-md:size-11 ${className}`}
    >
      {children}
    </button>
  );
}
