/** The keys of an action as printed on a keyboard. */
import { Fragment } from 'react';
import { getKeyNames, splitSequence } from './keys.ts';

export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="inline-flex items-center gap-1 text-11 whitespace-nowrap text-text-3">
      {splitSequence(keys).map((stroke, at) => (
        <Fragment key={stroke}>
          {at === 0 ? null : <span>then</span>}
          {getKeyNames(stroke).map((name, index) => (
            <Fragment key={name}>
              {index === 0 ? null : <span>+</span>}
              <kbd className="inline-grid h-5 min-w-5 place-items-center rounded-badge border border-line-strong bg-inset px-1.5 font-sans text-11 font-medium text-text">
                {name}
              </kbd>
            </Fragment>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
