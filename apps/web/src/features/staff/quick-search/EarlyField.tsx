/**
 * The field of the quick search while its code loads: it looks like the search's own, takes every key, and is gone when the
 * search has the text. Escape closes; Enter is remembered, as the search itself remembers one before its results.
 */
import { type KeyboardEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Spinner } from '../../../shared/ui/index.ts';
import { searchFieldStyles, searchHeadStyles, searchPanelStyles } from './panel-styles.ts';

/** Mutable: a key must not wait for a render. */
export interface EarlyInput {
  text: string;
  enter: 'here' | 'elsewhere' | null;
  /** For the caret; null while it is not shown. */
  field: HTMLInputElement | null;
}

interface EarlyFieldProps {
  readonly input: EarlyInput;
  readonly opener: Element | null;
  readonly onClose: () => void;
}

export function EarlyField({ input, opener, onClose }: EarlyFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    input.field = field.current;
    field.current?.focus();
  }, [input]);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') input.enter = event.ctrlKey || event.metaKey ? 'elsewhere' : 'here';
    if (event.key === 'Tab') event.preventDefault();
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
    if (opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  return createPortal(
    <section aria-label="Quick search" aria-busy="true" className={`${searchPanelStyles} z-40`}>
      <div className={searchHeadStyles}>
        <Spinner size={16} />
        <input
          ref={field}
          type="text"
          aria-label="Search users, positions and pages"
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="off"
          enterKeyHint="go"
          maxLength={100}
          onChange={({ target }) => {
            input.text = target.value;
            input.enter = null;
          }}
          onKeyDown={onKeyDown}
          className={searchFieldStyles}
        />
      </div>
    </section>,
    document.body,
  );
}
