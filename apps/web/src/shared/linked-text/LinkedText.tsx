/** What somebody wrote, as text: its lines as they are, its addresses as links that tell nobody where they stood. */
import { Fragment, memo } from 'react';
import { piecesOf } from './pieces.ts';

export const LinkedText = memo(function LinkedText({ text }: { readonly text: string }) {
  return (
    <bdi className="block wrap-anywhere whitespace-pre-wrap">
      {piecesOf(text).map((piece, index) =>
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
