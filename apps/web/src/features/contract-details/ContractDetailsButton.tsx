/** Opens the details of a pair's contract, whose code loads with the first press. */
import Info from 'lucide-react/icons/info';
import { lazy, Suspense, useState } from 'react';
import { dialogFallback } from '../../shared/ui/dialog-fallback.tsx';
import { IconButton } from '../../shared/ui/index.ts';
import type { Pair } from '../market/index.ts';

const ContractDetails = lazy(() => import('./ContractDetails.tsx'));

export function ContractDetailsButton({ pair }: { readonly pair: Pair }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label="Contract details" onClick={() => setOpen(true)}>
        <Info size={14} aria-hidden="true" />
      </IconButton>
      {isOpen ? (
        <Suspense fallback={dialogFallback}>
          <ContractDetails pair={pair} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
