/** On or off, at once. */
import { Switch as Radix } from 'radix-ui';

interface SwitchProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, onChange }: SwitchProps) {
  return (
    <Radix.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-line-control bg-inset p-0.5 transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent"
    >
      <Radix.Thumb className="size-3.5 rounded-full bg-text-3 transition-[translate,background-color] data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-fill" />
    </Radix.Root>
  );
}
