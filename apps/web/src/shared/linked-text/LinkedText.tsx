/** Renders user text with its line breaks; addresses become links without a referrer. */
import { Fragment, memo } from 'react';
import { splitLinks } from './pieces.ts';

export const LinkedText = memo(function LinkedText({ text }: { readonly text: string }) {
  return (
    <bdi className="block wrap-anywhere whitespace-pre-wrap">
      {splitLinks(text).map((piece, index) =>
        piece.kind === 'link' ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
            key={index}
            href={piece.href}
            target="_blank"
            rel="noopener noreferrer"
            className="font-medium underline underline-offset-2"
          >
            {piece.text}
            <span className="sr-only"> (opens in a new tab)</span>
          </a>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={index}>{piece.text}</Fragment>
        ),
      )}
    </bdi>
  );
});
