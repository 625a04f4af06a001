/**
 * A menu of commands or options under a button: arrow keys move, typing finds, Escape closes. An option that is on or off
 * (`MenuOption`) leaves the menu open, so that several can be set at once.
 */
import Check from 'lucide-react/icons/check';
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

interface MenuProps {
  /** The trigger: one button. */
  readonly trigger: ReactElement;
  readonly label: string;
  readonly children: ReactNode;
  readonly align?: 'start' | 'end';
}

export function Menu({ trigger, label, children, align = 'start' }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="rise z-50 min-w-48 rounded-panel border border-line-strong bg-raised p-1 shadow-raised"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const item =
  'flex min-h-8 cursor-default items-center gap-2 rounded-control px-2.5 text-13 text-text outline-none select-none data-[disabled]:text-text-3 data-[highlighted]:bg-accent-weak max-md:min-h-11';

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, disabled = false, children }: MenuItemProps) {
  return (
    <Radix.Item className={item} disabled={disabled} onSelect={onSelect}>
      {children}
    </Radix.Item>
  );
}

interface MenuOptionProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly children: ReactNode;
}

export function MenuOption({ checked, onChange, children }: MenuOptionProps) {
  return (
    <Radix.CheckboxItem
      className={item}
      checked={checked}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span aria-hidden="true" className="grid size-4 place-items-center">
        {checked ? <Check size={14} className="text-accent" /> : null}
      </span>
      {children}
    </Radix.CheckboxItem>
  );
}

export const MenuSeparator = () => <Radix.Separator className="my-1 h-px bg-line" />;
