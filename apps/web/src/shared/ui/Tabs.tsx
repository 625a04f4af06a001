/** Tabs with an accent underline; a count follows the label. The caller renders the panels (`TabPanel`). */
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

/** A bar of tabs that scrolls fades at its end, so that a cut tab does not look like the last one. */
export const fadingEnd = 'pr-4 [mask-image:linear-gradient(to_left,transparent,#000_16px)]';

interface Tab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** `3`, or `1/3`. */
  readonly count?: number | string | undefined;
}
interface TabsProps<Value extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** Controls at the right end of the tab bar. */
  readonly aside?: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

export function Tabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  aside,
  children,
  className = '',
}: TabsProps<Value>) {
  const choose = (next: string) => {
    const tab = tabs.find((one) => one.value === next);
    if (tab) onChange(tab.value);
  };
  return (
    <Radix.Root value={value} onValueChange={choose} className={className}>
      <div className="flex items-center border-b border-line">
        <Radix.List
          aria-label={label}
          className={`flex min-w-0 grow overflow-x-auto pl-1.5 [scrollbar-width:none] ${fadingEnd}`}
        >
          {tabs.map((tab) => (
            <Radix.Trigger
              key={tab.value}
              value={tab.value}
              // Radix focuses it by script, which shows the ring after a click that is the first of a page.
              onMouseDown={({ currentTarget }) =>
                currentTarget.focus({ focusVisible: false, preventScroll: true })
              }
              className="group relative h-9 px-3 text-13 font-medium whitespace-nowrap text-text-2 transition-colors -outline-offset-2 hover:text-text data-[state=active]:text-text max-md:h-11 max-md:text-14"
            >
              {tab.label}
              {tab.count === undefined ? null : (
                <span className="figures text-text-3">{` (${tab.count})`}</span>
              )}
              <span className="absolute inset-x-3 bottom-0 h-0.5 bg-accent opacity-0 group-data-[state=active]:opacity-100" />
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside}
      </div>
      {children}
    </Radix.Root>
  );
}

export const TabPanel = Radix.Content;
