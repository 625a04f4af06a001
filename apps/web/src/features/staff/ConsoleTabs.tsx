/**
 * The tab bar of a console, sticky below the header. Arrow keys, Home and End move between tabs. On a phone the bar scrolls
 * sideways, shows that it does, and keeps the current tab in view. A badge shows how many items wait behind a tab.
 */
import { Tabs } from 'radix-ui';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';

export interface ConsoleTab<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** The number of waiting items and what they are: `3 new`. */
  readonly waiting?: { readonly count: number; readonly what: string } | undefined;
}

interface ConsoleTabsProps<Value extends string> {
  readonly label: string;
  readonly tabs: readonly ConsoleTab<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  readonly children: ReactNode;
}

/** The element beside the tabs into which the content renders its controls. */
const AsideContext = createContext<HTMLElement | null>(null);

/** Renders `children` at the right of the tabs, on a phone below them, while the current content is mounted. */
export function ConsoleAside({ children }: { readonly children: ReactNode }) {
  const container = useContext(AsideContext);
  return container && createPortal(children, container);
}

const countMax = 99;

/** The badge is part of the tab's accessible name: a separate label would differ from the visible text. */
function Pill({ count, what }: NonNullable<ConsoleTab<string>['waiting']>) {
  if (count === 0) return null;
  return (
    <span className="figures ml-1.5 inline-flex h-[18px] min-w-[18px] items-center justify-center rounded-full bg-line px-1.5 text-11 font-medium text-text">
      {count > countMax ? `${countMax}+` : count}
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
  /** A press reports its tab twice, on mouse down and on focus, before the URL has changed. */
  const lastRequested = useRef<Value>(value);
  useEffect(() => {
    lastRequested.current = value;
  }, [value]);
  const onValueChange = (next: string) => {
    const tab = tabs.find((one) => one.value === next);
    if (!tab || tab.value === lastRequested.current) return;
    lastRequested.current = tab.value;
    onChange(tab.value);
  };
  /** A badge that appears or grows moves the tabs after it. */
  const pills = tabs.map(({ waiting }) => waiting?.count ?? 0).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current tab is found by its state, which `value` changes
  useEffect(() => {
    list.current
      ?.querySelector('[data-state=active]')
      ?.scrollIntoView({ block: 'nearest', inline: 'center', behavior: 'instant' });
  }, [value, pills]);
  return (
    <Tabs.Root value={value} onValueChange={onValueChange} className="flex grow flex-col">
      <div className="sticky top-[calc(var(--impersonation-height)+var(--nav-height))] z-20 flex items-center border-b border-line bg-surface max-md:block">
        <Tabs.List
          ref={list}
          aria-label={label}
          className="scroll-cue-x flex min-w-0 grow gap-1 overflow-x-auto px-3 [scrollbar-width:none] max-md:px-1"
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
      <AsideContext value={aside}>{children}</AsideContext>
    </Tabs.Root>
  );
}

export const ConsolePanel = Tabs.Content;
