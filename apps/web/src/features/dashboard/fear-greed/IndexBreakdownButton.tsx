/** Opens `IndexBreakdown`, whose code loads on hover or focus, so that the first row of the page loads early. */
import type { FearAndGreed } from '@fulcrum/contract';
import { type ComponentProps, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { showToast } from '../../../shared/ui/index.ts';
import type { IndexBreakdown } from './IndexBreakdown.tsx';

const load = () => import('./IndexBreakdown.tsx');

/** Loads early, on hover or focus; a failure is shown only after a click. */
const preload = () => {
  load().catch((cause: unknown) => log.info('The index breakdown could not be preloaded', cause));
};

function Trigger(props: Omit<ComponentProps<'button'>, 'type' | 'className' | 'children'>) {
  return (
    <button
      {...props}
      type="button"
      className="min-h-6 rounded-[4px] text-12 whitespace-nowrap text-accent hover:text-text max-md:relative max-md:min-h-8 max-md:after:absolute max-md:after:inset-x-0 max-md:after:-inset-y-1.5"
    >
      How it is made
    </button>
  );
}

export function IndexBreakdownButton({ reading }: { readonly reading: FearAndGreed }) {
  const [Panel, setPanel] = useState<typeof IndexBreakdown | null>(null);
  if (Panel !== null) return <Panel reading={reading} trigger={<Trigger />} />;
  const open = () => {
    load().then(
      (module) => setPanel(() => module.IndexBreakdown),
      (cause: unknown) => {
        log.warn('The index breakdown could not be loaded', cause);
        showToast('error', 'The explanation could not be loaded. Please try again.', { id: 'making' });
      },
    );
  };
  return (
    <Trigger
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={open}
      onFocus={preload}
      onPointerEnter={preload}
    />
  );
}
