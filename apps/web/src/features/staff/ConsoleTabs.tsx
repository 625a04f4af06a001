/**
 * The tabs of a console: a line of their own beneath the header that stays while the page scrolls. Arrow keys, Home and End
 * move along it; on a phone it scrolls sideways and keeps the current tab in view. What waits behind a tab stands in a pill.
 */
import { Tabs } from 'radix-ui';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

export interface ConsoleTab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** How many of `what` wait behind it: `3 new`. */
  readonly waiting?: { readonly count: number; readonly what: string } | undefined;
}

interface ConsoleTabsProps<Value extends string> {
  readonly label: string;
  readonly tabs: readonly ConsoleTab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly children: ReactNode;
}

/** Where a tab's content puts what belongs beside the tabs. */
const Aside = createContext<HTMLElement | null>(null);

/** Beside the tabs at the right, on a phone beneath them, while the content that says so is shown. */
export function ConsoleAside({ children }: { readonly children: ReactNode }) {
  const place = useContext(Aside);
  return place && createPortal(children, place);
}

const most = 99;

/** Part of the tab's name: a name of its own would say something else than what is seen. */
function Pill({ count, what }: NonNullable<ConsoleTab<string>['waiting']>) {
  if (count === 0) return null;
  return (
    <span className="figures ml-1.5 inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-line px-1.5 text-11 font-medium text-text">
      {count > most ? `${most}+` : count}
      <span className="sr-only"> {what}</span>
    </span>
  );
}

export function ConsoleTabs<Value extends string>({
  label,
  tabs,
  value,
  onChange,
  children,
}: ConsoleTabsProps<Value>) {
  const list = useRef<HTMLDivElement>(null);
  const [aside, setAside] = useState<HTMLElement | null>(null);
  /** A press tells of its tab twice, with the mouse and with the focus, before the address has changed. */
  const asked = useRef<Value>(value);
  useEffect(() => {
    asked.current = value;
  }, [value]);
  const choose = (next: string) => {
    const tab = tabs.find((one) => one.value === next);
    if (!tab || tab.value === asked.current) return;
    asked.current = tab.value;
    onChange(tab.value);
  };
  /** A pill that comes or grows pushes the tabs after it along. */
  const pills = tabs.map(({ waiting }) => waiting?.count ?? 0).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab is found by its state, which `value` changes
  useEffect(() => {
    list.current
      ?.querySelector('[data-state=active]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });
  }, [value, pills]);
  return (
    <Tabs.Root value={value} onValueChange={choose} className="flex grow flex-col">
      <div className="sticky top-[calc(var(--acting-height)+var(--nav-height))] z-20 flex items-center border-b border-line bg-surface max-md:block">
        <Tabs.List
          ref={list}
          aria-label={label}
          className="flex min-w-0 grow gap-1 overflow-x-auto px-3 [scrollbar-width:none] max-md:px-1"
        >
          {tabs.map((tab) => (
            <Tabs.Trigger
              key={tab.value}
              value={tab.value}
              className="group relative flex h-11 shrink-0 items-center px-3 text-13 font-medium whitespace-nowrap text-text-2 transition-colors -outline-offset-2 hover:text-text data-[state=active]:text-text"
            >
              {tab.label}
              {tab.waiting ? <Pill {...tab.waiting} /> : null}
              <span className="absolute inset-x-3 bottom-0 h-0.5 bg-accent opacity-0 group-data-[state=active]:opacity-100" />
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        <div ref={setAside} className="shrink-0 empty:hidden" />
      </div>
      <Aside value={aside}>{children}</Aside>
    </Tabs.Root>
  );
}

export const ConsolePanel = Tabs.Content;
