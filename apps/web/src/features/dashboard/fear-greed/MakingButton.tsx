/** Opens `Making`, whose code comes when somebody is about to ask for it: the first row of the page is to arrive early. */
import type { FearAndGreed } from '@fulcrum/contract';
import { type ComponentProps, useState } from 'react';
import { log } from '../../../shared/log/log.ts';
import { announce } from '../../../shared/ui/index.ts';
import type { Making } from './Making.tsx';

const load = () => import('./Making.tsx');

/** Early, while the hand is on its way; a click says what did not work. */
const loadAhead = () => {
  load().catch((cause: unknown) => log.info('The making of the index did not arrive ahead', cause));
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

export function MakingButton({ reading }: { readonly reading: FearAndGreed }) {
  const [Panel, setPanel] = useState<typeof Making | null>(null);
  if (Panel !== null) return <Panel reading={reading} trigger={<Trigger />} />;
  const open = () => {
    load().then(
      (module) => setPanel(() => module.Making),
      (cause: unknown) => {
        log.warn('The making of the index did not arrive', cause);
        announce('error', 'How it is made could not be loaded. Please try again.', { id: 'making' });
      },
    );
  };
  return (
    <Trigger
      aria-haspopup="dialog"
      aria-expanded={false}
      onClick={open}
      onFocus={loadAhead}
      onPointerEnter={loadAhead}
    />
  );
}
