/**
 * sonner styled with the app's tokens; a module of its own so that it loads lazily (toasts.tsx). Toasts appear at the top,
 * over the middle of the navigation. They cover neither the chart and its tools, the order form, its sheet nor the positions; one
 * of several lines also covers the middle of the bar with the pair's prices.
 */
import { Toaster as Sonner } from 'sonner';

export function Toaster() {
  return (
    <Sonner
      position="top-center"
      visibleToasts={3}
      offset={{ top: 'calc(var(--impersonation-height) + 4px)' }}
      mobileOffset={{ top: 'calc(var(--impersonation-height) + 8px)' }}
      style={{ fontFamily: 'inherit' }}
      toastOptions={{
        unstyled: true,
        classNames: {
          toast:
            'flex w-[340px] max-w-[calc(100vw-32px)] items-start gap-2.5 rounded-panel border border-line-strong bg-raised p-3 font-sans text-13 text-text shadow-raised',
          title: 'font-medium',
          closeButton:
            'order-last -my-1 -mr-1 ml-auto grid size-6 shrink-0 place-items-center rounded-control text-text-2 hover:text-text max-md:size-11',
          description: 'text-text-2',
          success: '[&_[data-icon]]:text-up',
          error: '[&_[data-icon]]:text-down',
          info: '[&_[data-icon]]:text-accent',
        },
      }}
    />
  );
}
