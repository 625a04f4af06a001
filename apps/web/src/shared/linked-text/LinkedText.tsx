/** What somebody wrote, as text: its lines as they are, its addresses as links that tell nobody where they stood. */
import { Fragment } from 'react';
import { piecesOf } from './pieces.ts';

export function LinkedText({ text }: { readonly text: string }) {
  return (
    <div className="whitespace-pre-wrap wrap-anywhere">
      {piecesOf(text).map((piece, index) =>
        piece.kind === 'link' ? (
          <a
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity but their place
            key={index}
            href={piece.href}
            target="_blank"
            rel="noreferrer noopener"
            className="text-accent underline underline-offset-2"
          >
            {piece.text}
          </a>
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: as above
          <Fragment key={index}>{piece.text}</Fragment>
        ),
      )}
    </div>
  );
}
